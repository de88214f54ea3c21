// The way out of the hard engine, for tests that assert exact numbers of requests or units.

/**
 * Sends the requests of the calling file to the engine itself, which disturbs nothing. Called at the top of the file.
 * `reason` is for the reader. test/infra/local/hard/plain.test.ts lists the files.
 */
export function onPlainEngine(_reason: string): void {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = process.env.PLAIN_DYNAMODB_ENDPOINT;
}
