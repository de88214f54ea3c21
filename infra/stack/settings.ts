// Settings of a deployment, from the CDK context: cdk.json, or `cdk deploy -c name=value`, which passes strings.
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import ipaddr from "ipaddr.js";
import { noOrigin, originOf } from "../../lib/net/url.ts";
import { mailAddress } from "../../lib/schema/mail-address.ts";
import { problemsTogether } from "./settings-together.ts";

export interface Settings {
  stackName: string;
  /** The name of this deployment among several. New API keys begin with it. */
  cell: string;
  /** A temporary stack: no deletion protection, and its table, key, logs and empty bucket are deleted with it. */
  development: boolean;
  /** A table, key and bucket that a restore or an earlier stack left. The stack uses them and makes none of its own. */
  existingTableName: string;
  existingKeyArn: string;
  existingBucketName: string;
  /** Receives a mail to confirm the subscription to the alarms. When empty, the topic has no subscriber. */
  alarmEmail: string;
  /** What the account may spend in a month before AWS Budgets notifies the alarms' topic. 0: no budget. */
  monthlyBudgetUsd: number;
  /** The API's own domain, and the ARN of its certificate in the stack's region. */
  customDomain: string;
  certificateArn: string;
  /** Whether only the domain leads to the API. */
  disableDefaultEndpoint: boolean;
  /** SHA-256 in hex of the secret that a CDN in front of the API sends. During a change, two, separated by a comma. */
  originSecretSha256: string;
  /** CIDR ranges, separated by commas, that outbound requests may reach although they are not public. Needs a VPC. */
  egressAllowCidrs: string;
  /** Subnets and security groups, separated by commas, of the functions that call addresses of workspaces. */
  vpcSubnetIds: string;
  vpcSecurityGroupIds: string;
  /** The roles keep for one more deployment the permissions with which Lambda deletes the network interfaces. */
  leavingVpc: boolean;
  /** Origins, separated by commas, that may get a workspace's key of an AI vendor. Empty: any; `none`: no other. */
  aiOrigins: string;
  /** Origins, separated by commas, that may get the token of a permission provider. Empty: any; `none`: no provider. */
  permissionProviderOrigins: string;
  /** The address from which the deployment sends e-mail, verified in SES. Empty: it sends none of its own. */
  emailFrom: string;
  /** Base URLs of SendGrid's and Slack's APIs, where they are not the vendors' own. */
  sendGridBaseUrl: string;
  slackBaseUrl: string;
  /** Whether pages of users can get live messages, through AWS AppSync Events. */
  live: boolean;
  /** `iss` of user tokens. When empty, it is `https://` and the host of the call. */
  tokenIssuer: string;
  /** How long a notification is kept after it was added. A change does not move the end of earlier notifications. */
  notificationRetentionDays: number;
  logRetentionDays: number;
  /** How long a call waits for its extraction. The extraction continues after the call. */
  ingestBudgetSeconds: number;
  /** Calls that a workspace may make in a second; twice as many at once. An administrator can set another limit. */
  workspaceCallsPerSecond: number;
  /** The most advanced webhook endpoints of one workspace. */
  webhookEndpointsMax: number;
  /** Concurrent invocations of all queue workers together. Each has at least 2. */
  workerConcurrency: number;
  /** The limit of the whole API, not of a workspace. */
  throttleRequestsPerSecond: number;
  throttleBurst: number;
}

export const defaults: Settings = {
  stackName: "collaboration-backend",
  cell: "",
  development: false,
  existingTableName: "",
  existingKeyArn: "",
  existingBucketName: "",
  alarmEmail: "",
  monthlyBudgetUsd: 0,
  customDomain: "",
  certificateArn: "",
  disableDefaultEndpoint: false,
  originSecretSha256: "",
  egressAllowCidrs: "",
  vpcSubnetIds: "",
  vpcSecurityGroupIds: "",
  leavingVpc: false,
  aiOrigins: "",
  permissionProviderOrigins: "",
  emailFrom: "",
  sendGridBaseUrl: "",
  slackBaseUrl: "",
  live: false,
  tokenIssuer: "",
  notificationRetentionDays: 365,
  logRetentionDays: RetentionDays.ONE_MONTH,
  ingestBudgetSeconds: 25,
  workspaceCallsPerSecond: 100,
  webhookEndpointsMax: 50,
  workerConcurrency: 200,
  throttleRequestsPerSecond: 1_000,
  throttleBurst: 2_000,
};

const mustBeBaseUrl = "be an https URL without a query, such as https://api.example.com";
const mustBeOrigins = "be origins separated by commas, such as https://example.com, or none";

const rules: { [Name in keyof Settings]: [must: string, holds: (value: Settings[Name]) => boolean] } = {
  stackName: [
    "be up to 128 letters, digits and hyphens, starting with a letter",
    (value) => /^[a-z][a-z0-9-]{0,127}$/i.test(value),
  ],
  cell: ["be up to 12 lower-case letters and digits", (value) => /^[a-z0-9]{0,12}$/.test(value)],
  development: ["be true or false", (value) => typeof value === "boolean"],
  existingTableName: [
    "be the name of a DynamoDB table: 3 to 255 letters, digits, hyphens, dots and underscores",
    (value) => value === "" || /^[\w.-]{3,255}$/.test(value),
  ],
  // IAM ignores the name of an alias in the resource of a policy, so every call would be denied.
  existingKeyArn: [
    "be the ARN of a KMS key, such as arn:aws:kms:eu-west-1:111122223333:key/… (not of an alias)",
    (value) => value === "" || /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/.test(value),
  ],
  // The certificate of S3 does not cover a name with dots.
  existingBucketName: [
    "be the name of an S3 bucket: 3 to 63 lower-case letters, digits and hyphens",
    (value) => value === "" || /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(value),
  ],
  alarmEmail: ["be one email address", (value) => value === "" || /^[^\s@,]+@[^\s@,]+$/.test(value)],
  monthlyBudgetUsd: ["be a whole number of dollars, or 0 for none", (value) => value === 0 || isPositiveInteger(value)],
  customDomain: [
    "be a host name in lower case, such as api.example.com",
    (value) => value === "" || /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(value),
  ],
  certificateArn: [
    "be the ARN of a certificate, such as arn:aws:acm:eu-west-1:111122223333:certificate/…",
    (value) => value === "" || /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/.test(value),
  ],
  disableDefaultEndpoint: ["be true or false", (value) => typeof value === "boolean"],
  originSecretSha256: [
    "be one or two SHA-256 hashes of 64 hexadecimal digits in lower case, separated by a comma",
    (value) => value === "" || /^[0-9a-f]{64}(?:,[0-9a-f]{64})?$/.test(value),
  ],
  egressAllowCidrs: [
    "be private CIDR ranges separated by commas, such as 10.1.0.0/16: a public address needs no permission, and none of the function's own machine may be reached",
    (value) => value === "" || value.split(",").every(isRangeOfVpc),
  ],
  // The limits are Lambda's: 16 subnets and 5 security groups.
  vpcSubnetIds: [
    "be up to 16 ids of subnets separated by commas, such as subnet-0a1b2c3d4e5f60718",
    (value) => value === "" || areIds(value, "subnet", 16),
  ],
  vpcSecurityGroupIds: [
    "be up to 5 ids of security groups separated by commas, such as sg-0a1b2c3d4e5f60718",
    (value) => value === "" || areIds(value, "sg", 5),
  ],
  leavingVpc: ["be true or false", (value) => typeof value === "boolean"],
  aiOrigins: [mustBeOrigins, areOrigins],
  permissionProviderOrigins: [mustBeOrigins, areOrigins],
  // The domain in lower case: SES compares it with the names of its identities.
  emailFrom: ["be one email address in ASCII", (value) => value === "" || mailAddress(value) === value],
  sendGridBaseUrl: [mustBeBaseUrl, isBaseUrl],
  slackBaseUrl: [mustBeBaseUrl, isBaseUrl],
  live: ["be true or false", (value) => typeof value === "boolean"],
  tokenIssuer: ["be up to 512 characters without whitespace", (value) => /^[^\s]{0,512}$/.test(value)],
  notificationRetentionDays: [
    "be a whole number of days from 1 to 3650",
    (value) => isPositiveInteger(value) && value <= 3_650,
  ],
  logRetentionDays: [
    "be a number of days that CloudWatch supports, such as 7, 14, 30, 90 or 365",
    (value) => value in RetentionDays,
  ],
  ingestBudgetSeconds: ["be a number of seconds from 1 to 26", (value) => value >= 1 && value <= 26],
  workspaceCallsPerSecond: ["be a whole number above 0", isPositiveInteger],
  webhookEndpointsMax: ["be a whole number from 1 to 500", (value) => isPositiveInteger(value) && value <= 500],
  workerConcurrency: ["be a whole number above 0", isPositiveInteger],
  throttleRequestsPerSecond: ["be a whole number above 0", isPositiveInteger],
  throttleBurst: ["be a whole number above 0", isPositiveInteger],
};

/** Returns the settings with defaults. Throws one error that lists all invalid settings. */
export function checked(given: Partial<Record<keyof Settings, unknown>>): Settings {
  const settings = { ...defaults, ...given } as Settings;
  const problems = names.flatMap((name) => {
    const [must, holds] = rules[name] as [string, (value: unknown) => boolean];
    const isValid = typeof settings[name] === typeof defaults[name] && holds(settings[name]);
    return isValid ? [] : [`${name} must ${must}, not ${JSON.stringify(settings[name])}`];
  });
  if (problems.length === 0) problems.push(...problemsTogether(settings));
  if (problems.length) throw new Error(`The CDK context has invalid settings:\n- ${problems.join("\n- ")}`);
  return settings;
}

/** The settings that the context names, also those that it sets to their default. */
export function givenSettings(scope: Construct): Partial<Settings> {
  const given = names.flatMap((name) => {
    const value: unknown = scope.node.tryGetContext(name);
    return value === undefined ? [] : [[name, typed(value, defaults[name])]];
  });
  return Object.fromEntries(given);
}

export function settingsOf(scope: Construct): Settings {
  return checked(givenSettings(scope));
}

function typed(value: unknown, example: unknown): unknown {
  if (typeof value !== "string") return value;
  if (typeof example === "number") return /^[0-9.]+$/.test(value) ? Number(value) : value;
  if (typeof example === "boolean") return value === "true" ? true : value === "false" ? false : value;
  return value;
}

function areOrigins(value: string): boolean {
  return value === "" || value === noOrigin || value.split(",").every(isOrigin);
}

function isBaseUrl(text: string): boolean {
  return text === "" || (/^https:\/\/[^?#]+[^/?#]$/.test(text) && originOf(text) !== "");
}

function isOrigin(text: string): boolean {
  return text.startsWith("https://") && originOf(text) === text;
}

/** The private ranges that the addresses of a VPC can be in. */
const rangesOfVpcs = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.19.0.0/16", "fc00::/7"];

function isRangeOfVpc(text: string): boolean {
  if (!ipaddr.isValidCIDR(text)) return false;
  const [address, bits] = ipaddr.parseCIDR(text);
  return rangesOfVpcs.some((each) => {
    const [network, prefix] = ipaddr.parseCIDR(each);
    return address.kind() === network.kind() && bits >= prefix && address.match(network, prefix);
  });
}

/** Whether the text is up to `countMax` ids of EC2. An id has 8 or 17 hexadecimal digits. */
function areIds(text: string, kind: string, countMax: number): boolean {
  const id = new RegExp(`^${kind}-(?:[0-9a-f]{8}|[0-9a-f]{17})$`);
  const ids = text.split(",");
  return ids.length <= countMax && ids.every((each) => id.test(each));
}

function isPositiveInteger(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}

const names = Object.keys(defaults) as (keyof Settings)[];
