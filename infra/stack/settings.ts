// Settings of a deployment, from the CDK context: cdk.json, or `cdk deploy -c name=value`, which passes strings.
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import ipaddr from "ipaddr.js";
import { noOrigin, originOf } from "../../lib/net/url.ts";
import { mailAddress } from "../../lib/schema/mail-address.ts";
import { problemsTogether } from "./settings-together.ts";

interface Setting<Value> {
  initial: Value;
  /** What a value must be, after the name of the setting. */
  must: string;
  /** Called for a value of the type of `initial`. */
  holds(value: Value): boolean;
}

const setting = <Value>(initial: Value, must: string, holds: (value: Value) => boolean): Setting<Value> => ({
  initial,
  must,
  holds,
});

/** Empty, unless the context names it. */
const text = (must: string, holds: (value: string) => boolean) =>
  setting("", must, (value) => value === "" || holds(value));
const matching = (must: string, pattern: RegExp) => text(must, (value) => pattern.test(value));
const flag = setting(false, "be true or false", () => true);
const countOf = (initial: number) => setting(initial, "be a whole number above 0", isPositiveInteger);
const origins = text("be origins separated by commas, such as https://example.com, or none", areOrigins);
const baseUrl = text("be an https URL without a query, such as https://api.example.com", isBaseUrl);

/** Each setting with its default and its rule. */
const settings = {
  stackName: setting(
    "collaboration-backend",
    "be up to 128 letters, digits and hyphens, starting with a letter",
    (value) => /^[a-z][a-z0-9-]{0,127}$/i.test(value),
  ),
  /** The name of this deployment among several. New API keys begin with it. */
  cell: matching("be up to 12 lower-case letters and digits", /^[a-z0-9]{0,12}$/),
  /** A temporary stack: no deletion protection, and its table, key, logs and empty bucket are deleted with it. */
  development: flag,
  /** A table, key and bucket that a restore or an earlier stack left. The stack uses them and makes none of its own. */
  existingTableName: matching(
    "be the name of a DynamoDB table: 3 to 255 letters, digits, hyphens, dots and underscores",
    /^[\w.-]{3,255}$/,
  ),
  // IAM ignores the name of an alias in the resource of a policy, so every call would be denied.
  existingKeyArn: matching(
    "be the ARN of a KMS key, such as arn:aws:kms:eu-west-1:111122223333:key/… (not of an alias)",
    /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/,
  ),
  // The certificate of S3 does not cover a name with dots.
  existingBucketName: matching(
    "be the name of an S3 bucket: 3 to 63 lower-case letters, digits and hyphens",
    /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
  ),
  /** Receives a mail to confirm the subscription to the alarms. When empty, the topic has no subscriber. */
  alarmEmail: matching("be one email address", /^[^\s@,]+@[^\s@,]+$/),
  /** What the account may spend in a month before AWS Budgets notifies the alarms' topic. 0: no budget. */
  monthlyBudgetUsd: setting(
    0,
    "be a whole number of dollars, or 0 for none",
    (value) => value === 0 || isPositiveInteger(value),
  ),
  /** The API's own domain, and the ARN of its certificate in the stack's region. */
  customDomain: matching(
    "be a host name in lower case, such as api.example.com",
    /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
  ),
  certificateArn: matching(
    "be the ARN of a certificate, such as arn:aws:acm:eu-west-1:111122223333:certificate/…",
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
  ),
  /** Whether only the domain leads to the API. */
  disableDefaultEndpoint: flag,
  /** SHA-256 in hex of the secret that a CDN in front of the API sends. During a change, two, separated by a comma. */
  originSecretSha256: matching(
    "be one or two SHA-256 hashes of 64 hexadecimal digits in lower case, separated by a comma",
    /^[0-9a-f]{64}(?:,[0-9a-f]{64})?$/,
  ),
  /** CIDR ranges, separated by commas, that outbound requests may reach although they are not public. Needs a VPC. */
  egressAllowCidrs: text(
    "be private CIDR ranges separated by commas, such as 10.1.0.0/16: a public address needs no permission, and none of the function's own machine may be reached",
    (value) => value.split(",").every(isRangeOfVpc),
  ),
  /** Subnets and security groups, separated by commas, of the functions that call addresses of workspaces. */
  // The limits are Lambda's: 16 subnets and 5 security groups.
  vpcSubnetIds: text("be up to 16 ids of subnets separated by commas, such as subnet-0a1b2c3d4e5f60718", (value) =>
    areIds(value, "subnet", 16),
  ),
  vpcSecurityGroupIds: text(
    "be up to 5 ids of security groups separated by commas, such as sg-0a1b2c3d4e5f60718",
    (value) => areIds(value, "sg", 5),
  ),
  /** The roles keep for one more deployment the permissions with which Lambda deletes the network interfaces. */
  leavingVpc: flag,
  /** Origins, separated by commas, that may get a workspace's key of an AI vendor. Empty: any; `none`: no other. */
  aiOrigins: origins,
  /** Origins, separated by commas, that may get the token of a permission provider. Empty: any; `none`: no provider. */
  permissionProviderOrigins: origins,
  /** The address from which the deployment sends e-mail, verified in SES. Empty: it sends none of its own. */
  // The domain in lower case: SES compares it with the names of its identities.
  emailFrom: text("be one email address in ASCII", (value) => mailAddress(value) === value),
  /** Base URLs of SendGrid's and Slack's APIs, where they are not the vendors' own. */
  sendGridBaseUrl: baseUrl,
  slackBaseUrl: baseUrl,
  /** Whether pages of users can get live messages, through AWS AppSync Events. */
  live: flag,
  /** `iss` of user tokens. When empty, it is `https://` and the host of the call. */
  tokenIssuer: matching("be up to 512 characters without whitespace", /^[^\s]{0,512}$/),
  /** How long a notification is kept after it was added. A change does not move the end of earlier notifications. */
  notificationRetentionDays: setting(
    365,
    "be a whole number of days from 1 to 3650",
    (value) => isPositiveInteger(value) && value <= 3_650,
  ),
  logRetentionDays: setting<number>(
    RetentionDays.ONE_MONTH,
    "be a number of days that CloudWatch supports, such as 7, 14, 30, 90 or 365",
    (value) => value in RetentionDays,
  ),
  /** How long a call waits for its extraction. The extraction continues after the call. */
  ingestBudgetSeconds: setting(25, "be a number of seconds from 1 to 26", (value) => value >= 1 && value <= 26),
  /** Calls that a workspace may make in a second; twice as many at once. An administrator can set another limit. */
  workspaceCallsPerSecond: countOf(100),
  /** The most advanced webhook endpoints of one workspace. */
  webhookEndpointsMax: setting(
    50,
    "be a whole number from 1 to 500",
    (value) => isPositiveInteger(value) && value <= 500,
  ),
  /** Concurrent invocations of all queue workers together. Each has at least 2. */
  workerConcurrency: countOf(200),
  /** The limit of the whole API, not of a workspace. */
  throttleRequestsPerSecond: countOf(1_000),
  throttleBurst: countOf(2_000),
};

export type Settings = { [Name in keyof typeof settings]: (typeof settings)[Name]["initial"] };

const names = Object.keys(settings) as (keyof Settings)[];

export const defaults = Object.fromEntries(names.map((name) => [name, settings[name].initial])) as Settings;

/** Returns the settings with defaults. Throws one error that lists all invalid settings. */
export function checked(given: Partial<Record<keyof Settings, unknown>>): Settings {
  const all = { ...defaults, ...given } as Settings;
  const problems = names.flatMap((name) => {
    const { must, holds } = settings[name] as Setting<unknown>;
    const isValid = typeof all[name] === typeof defaults[name] && holds(all[name]);
    return isValid ? [] : [`${name} must ${must}, not ${JSON.stringify(all[name])}`];
  });
  if (problems.length === 0) problems.push(...problemsTogether(all));
  if (problems.length) throw new Error(`The CDK context has invalid settings:\n- ${problems.join("\n- ")}`);
  return all;
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
  return value === noOrigin || value.split(",").every(isOrigin);
}

function isBaseUrl(text: string): boolean {
  return /^https:\/\/[^?#]+[^/?#]$/.test(text) && originOf(text) !== "";
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
