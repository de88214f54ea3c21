// Settings of the deployment, read from the environment on first use: importing this file reads nothing.
import { inFlightSeconds } from "./call.ts";

/** The value of a mandatory variable. Throws when it is missing or empty. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

export const config = {
  /** The name of the deployment, in logs and metrics. */
  serviceName: () => process.env.SERVICE_NAME ?? "collaboration-backend",
  tableName: () => required("TABLE_NAME"),
  fileBucket: () => required("FILE_BUCKET"),
  keyId: () => required("KMS_KEY_ID"),
  /** The queue of a job kind; undefined when this function may not send to it. */
  queueUrl: (kind: string) => process.env[`QUEUE_URL_${kind.toUpperCase()}`],
  /** The beginning of new API keys, where this deployment is one of several cells. */
  cell: () => process.env.CELL ?? "",
  /** CIDR blocks, separated by commas, that outbound requests may reach although they are not public. */
  egressAllowCidrs: () => process.env.EGRESS_ALLOW_CIDRS ?? "",
  /** Origins that may get a workspace's key of an AI vendor. Empty: any; `none`: only the vendors' own. */
  aiOrigins: () => process.env.AI_ORIGINS ?? "",
  /** A server that replaces all AI vendors and gets no workspace's key. Unset: the vendors themselves. */
  aiStandInUrl: () => process.env.AI_STAND_IN_URL || undefined,
  /** Origins that may get the token of a permission provider. Empty: any; `none`: no provider. */
  permissionProviderOrigins: () => process.env.PERMISSION_PROVIDER_ORIGINS ?? "",
  /** The address from which the deployment sends e-mail; undefined: it sends no e-mail itself. */
  emailFrom: () => process.env.EMAIL_FROM || undefined,
  /** The configuration set of SES that reports bounces and complaints of the deployment's e-mails. */
  emailConfigurationSet: () => process.env.EMAIL_CONFIGURATION_SET || undefined,
  sendGridBaseUrl: () => process.env.SENDGRID_BASE_URL || "https://api.sendgrid.com",
  slackBaseUrl: () => process.env.SLACK_BASE_URL || "https://slack.com/api",
  /** How long a job must be overdue before the sweeper sends its message again. */
  sweepGraceSeconds: () => Number(process.env.SWEEP_GRACE_SECONDS ?? 120),
  /** How long a call waits for the extraction that it started. */
  ingestBudgetSeconds: () => Number(process.env.INGEST_BUDGET_SECONDS ?? 25),
  /** Calls that a workspace may make in a second, unless an administrator has set another limit for it. */
  workspaceCallsPerSecond: () => Number(process.env.WORKSPACE_CALLS_PER_SECOND ?? 100),
  /** The most advanced webhook endpoints of a workspace. Each change of one, and each run of events, reads them all. */
  webhookEndpointsMax: () => Number(process.env.WEBHOOK_ENDPOINTS_MAX ?? 50),
  /** How long a notification is kept after it was added. */
  notificationRetentionDays: () => Number(process.env.NOTIFICATION_RETENTION_DAYS ?? 365),
  /** How long after a deletion its purge starts. */
  purgeStartSeconds: () => Number(process.env.PURGE_START_SECONDS ?? inFlightSeconds),
  /** The limits of time within a call are multiplied by this. Tests set it, because a busy machine is slow. */
  slowness: () => Number(process.env.SLOWNESS ?? 1),
  /** How long ask-ai waits for the reply of an AI vendor. */
  aiTimeoutSeconds: () => Number(process.env.AI_TIMEOUT_SECONDS ?? 24),
  /** SHA-256 in hex, separated by commas, of the secrets that the operator's front sends. Empty: there is no front. */
  originSecretSha256: () => process.env.ORIGIN_SECRET_SHA256 ?? "",
  /** The address of this service, for links in messages. Unset: messages have no such links. */
  publicUrl: () => process.env.PUBLIC_URL || undefined,
  /** Where live messages are published, and where pages subscribe to them. Unset: the deployment has no live messages. */
  liveHttpUrl: () => process.env.LIVE_HTTP_URL || undefined,
  liveRealtimeUrl: () => process.env.LIVE_REALTIME_URL || undefined,
  /** `iss` of user tokens. Unset: `https://` and the host of the call. */
  tokenIssuer: () => process.env.TOKEN_ISSUER || undefined,
};
