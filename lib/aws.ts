// The options of every client of AWS. Each client is created on first use and kept by its container.

/** A connection within a region takes a few milliseconds. */
const connectMs = 1_000;

/**
 * From the request to the headers of its reply, and between two packets. DynamoDB and KMS take a few milliseconds. Most
 * calls have 10 s, so one that met a dead connection can try twice more.
 */
const replyMs = 3_000;

/**
 * Each attempt of the SDK has these limits. Without them, a request on a dead connection would wait until its call ends.
 * The attempts together are limited by the call that makes the request (`withinCall`).
 */
export const clientOptions = {
  requestHandler: {
    connectionTimeout: connectMs,
    requestTimeout: replyMs,
    socketTimeout: replyMs,
    throwOnRequestTimeout: true,
  },
};
