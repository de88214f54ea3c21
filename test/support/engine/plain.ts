// A table and queues that disturb nothing, for tests that assert exact numbers of requests or units.

/**
 * Sends the requests of the calling file to the plain table engine and the plain queues. Call it at the top of the
 * file. `reason` is for the reader. test/infra/local/hard/plain.test.ts lists the files that call it.
 */
export function onPlainEngine(reason: string): void {
  onPlainQueues(reason);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = process.env.PLAIN_DYNAMODB_ENDPOINT;
}

/** As `onPlainEngine`, for the queues only. The table stays hard. */
export function onPlainQueues(_reason: string): void {
  const { AWS_ENDPOINT_URL_SQS: hard, PLAIN_SQS_ENDPOINT: plain } = process.env;
  if (!hard || !plain) throw new Error("test/support/engines.ts has not started the queues.");
  for (const [name, value] of Object.entries(process.env)) {
    // The endpoint of SQS, and the address of each queue.
    if (value?.startsWith(hard)) process.env[name] = value.replace(hard, plain);
  }
}
