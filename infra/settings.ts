// What an operator may set: context values of cdk.json or of `cdk deploy -c name=value`, where all come as strings.
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import ipaddr from "ipaddr.js";

export interface Settings {
  stackName: string;
  /** A stack to throw away: no deletion protection, and its table and key go with it. */
  development: boolean;
  /** Is asked by mail to subscribe to the alarms; without it the topic has no subscriber. */
  alarmEmail: string;
  /** Address ranges, by comma, that outbound calls may reach although they are not public. */
  egressAllowCidrs: string;
  /** `iss` of user tokens; the host called when empty. */
  tokenIssuer: string;
  logRetentionDays: number;
  /** How long an extraction's caller waits for it before the call ends; the extraction goes on. */
  ingestBudgetSeconds: number;
  /** Of the whole API, not of a workspace. */
  throttleRequestsPerSecond: number;
  throttleBurst: number;
}

export const defaults: Settings = {
  stackName: "collaboration-backend",
  development: false,
  alarmEmail: "",
  egressAllowCidrs: "",
  tokenIssuer: "",
  logRetentionDays: RetentionDays.ONE_MONTH,
  ingestBudgetSeconds: 25,
  throttleRequestsPerSecond: 1_000,
  throttleBurst: 2_000,
};

const rules: { [Name in keyof Settings]: [must: string, holds: (value: Settings[Name]) => boolean] } = {
  stackName: ["be letters, digits and hyphens, a letter first", (value) => /^[a-z][a-z0-9-]{0,127}$/i.test(value)],
  development: ["be true or false", (value) => typeof value === "boolean"],
  alarmEmail: ["be one mail address", (value) => value === "" || /^[^\s@,]+@[^\s@,]+$/.test(value)],
  egressAllowCidrs: [
    "be ranges such as 10.1.0.0/16, by comma",
    (value) => value === "" || value.split(",").every((range) => ipaddr.isValidCIDR(range)),
  ],
  tokenIssuer: ["be one line of up to 512 characters", (value) => /^[^\s]{0,512}$/.test(value)],
  logRetentionDays: [
    "be a number of days that CloudWatch has: 7, 14, 30, 90, 365 …",
    (value) => value in RetentionDays,
  ],
  ingestBudgetSeconds: ["be 1 to 26", (value) => value >= 1 && value <= 26],
  throttleRequestsPerSecond: ["be a whole number above 0", isPositiveInteger],
  throttleBurst: ["be a whole number above 0", isPositiveInteger],
};

/** The settings with their defaults; throws one message that names every wrong one. */
export function checked(given: Partial<Record<keyof Settings, unknown>>): Settings {
  const settings = { ...defaults, ...given } as Settings;
  const wrong = names.flatMap((name) => {
    const [must, holds] = rules[name] as [string, (value: unknown) => boolean];
    const isRight = typeof settings[name] === typeof defaults[name] && holds(settings[name]);
    return isRight ? [] : [`${name} must ${must}, not ${JSON.stringify(settings[name])}`];
  });
  if (wrong.length) throw new Error(`Settings (context) are wrong:\n- ${wrong.join("\n- ")}`);
  return settings;
}

export function settingsOf(scope: Construct): Settings {
  const given = names.flatMap((name) => {
    const value: unknown = scope.node.tryGetContext(name);
    return value === undefined ? [] : [[name, typed(value, defaults[name])]];
  });
  return checked(Object.fromEntries(given));
}

function typed(value: unknown, example: unknown): unknown {
  if (typeof value !== "string") return value;
  if (typeof example === "number") return /^[0-9.]+$/.test(value) ? Number(value) : value;
  if (typeof example === "boolean") return value === "true" ? true : value === "false" ? false : value;
  return value;
}

function isPositiveInteger(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}

const names = Object.keys(defaults) as (keyof Settings)[];
