// The prices of AWS, in US dollars, and what else the costs assume. No other file has a price.

/** When these prices were looked up. Correct the date together with a price. */
export const pricesOf = { region: "us-east-1", date: "2026-11-22" };

const million = 1_000_000;

export interface Price {
  what: string;
  dollars: number;
  /** How many units cost that much. */
  per: number;
  unit: string;
  source: string;
}

/** The free tier of a new account and the discounts of large ones are left out. */
export const prices = {
  apiCall: {
    what: "API Gateway, HTTP API",
    ...{ dollars: 1, per: million, unit: "calls" },
    source: "https://aws.amazon.com/api-gateway/pricing/",
  },
  invocation: {
    what: "Lambda, invocation",
    ...{ dollars: 0.2, per: million, unit: "invocations" },
    source: "https://aws.amazon.com/lambda/pricing/",
  },
  gbSecond: {
    what: "Lambda, memory, arm64",
    ...{ dollars: 13.3334, per: million, unit: "GB-seconds" },
    source: "https://aws.amazon.com/lambda/pricing/",
  },
  readUnit: {
    what: "DynamoDB, on demand, reads",
    ...{ dollars: 0.125, per: million, unit: "read request units" },
    source: "https://aws.amazon.com/dynamodb/pricing/on-demand/",
  },
  writeUnit: {
    what: "DynamoDB, on demand, writes",
    ...{ dollars: 0.625, per: million, unit: "write request units" },
    source: "https://aws.amazon.com/dynamodb/pricing/on-demand/",
  },
  storedGb: {
    what: "DynamoDB, stored data with its backup (0.25 and 0.20)",
    ...{ dollars: 0.45, per: 1, unit: "GB in a month" },
    source: "https://aws.amazon.com/dynamodb/pricing/on-demand/",
  },
  kmsCall: {
    what: "KMS, request",
    ...{ dollars: 3, per: million, unit: "requests" },
    source: "https://aws.amazon.com/kms/pricing/",
  },
  kmsKey: {
    what: "KMS, key",
    ...{ dollars: 1, per: 1, unit: "key in a month" },
    source: "https://aws.amazon.com/kms/pricing/",
  },
  queueRequest: {
    what: "SQS, request with a message group (0.40 and 0.10)",
    ...{ dollars: 0.5, per: million, unit: "requests" },
    source: "https://aws.amazon.com/sqs/pricing/",
  },
  emptyReceive: {
    what: "SQS, receive without a message",
    ...{ dollars: 0.4, per: million, unit: "requests" },
    source: "https://aws.amazon.com/sqs/pricing/",
  },
  fileWrite: {
    what: "S3, PUT and LIST",
    ...{ dollars: 5, per: million, unit: "requests" },
    source: "https://aws.amazon.com/s3/pricing/",
  },
  fileRead: {
    what: "S3, GET",
    ...{ dollars: 0.4, per: million, unit: "requests" },
    source: "https://aws.amazon.com/s3/pricing/",
  },
  liveOperation: {
    what: "AppSync Events, operation",
    ...{ dollars: 1, per: million, unit: "requests and messages" },
    source: "https://aws.amazon.com/appsync/pricing/",
  },
  liveMinute: {
    what: "AppSync Events, connection",
    ...{ dollars: 0.08, per: million, unit: "minutes" },
    source: "https://aws.amazon.com/appsync/pricing/",
  },
  mail: {
    what: "SES, sent mail without attachments",
    ...{ dollars: 0.1, per: 1_000, unit: "mails" },
    source: "https://aws.amazon.com/ses/pricing/",
  },
  logGb: {
    what: "CloudWatch, logs received",
    ...{ dollars: 0.5, per: 1, unit: "GB" },
    source: "https://aws.amazon.com/cloudwatch/pricing/",
  },
  alarm: {
    what: "CloudWatch, metric of an alarm",
    ...{ dollars: 0.1, per: 1, unit: "metric in a month" },
    source: "https://aws.amazon.com/cloudwatch/pricing/",
  },
  metric: {
    what: "CloudWatch, metric of the service itself",
    ...{ dollars: 0.3, per: 1, unit: "metric in a month" },
    source: "https://aws.amazon.com/cloudwatch/pricing/",
  },
} as const satisfies Record<string, Price>;

/** Dollars for `count` units. */
export const priced = (name: keyof typeof prices, count: number) => (count * prices[name].dollars) / prices[name].per;

/** Milliseconds that a function waits for one request, at the median. */
export const waitsMs = { trip: 5, kms: 10, file: 30, queue: 10 };
/** Milliseconds that a run waits for someone outside of AWS, or for its sandbox. */
export const outsideMs: Record<string, number> = {
  drain: 200,
  message: 100,
  ingest: 500,
  draft: 5_000,
  "ask-ai": 5_000,
  "memory-ask": 5_000,
};
/** Of all invocations, those that start a container. Lambda bills their start. */
export const coldShare = 0.01;
/** The line of a call or job, the line of the access log, and Lambda's own lines. */
export const logBytes = 1_500;
/** Memory at which a function has one whole CPU. */
export const wholeCpuMb = 1_769;
