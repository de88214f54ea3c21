import { openEngine } from "./dynamodb.ts";
import { pointAtLocal, tableName } from "./environment.ts";
import { startKms } from "./kms.ts";
import { startS3 } from "./s3.ts";
import type { LocalSqs } from "./sqs.ts";
import { createTable } from "./table.ts";

export interface Engines {
  /** Whether the table was made just now, and so is empty. */
  isNew: boolean;
  close(): Promise<void>;
}

/**
 * Starts, or joins, what holds a data folder's truth, creates the table and points the environment at them. With these
 * alone the store and the secrets work; jobs wait for a server's queues.
 */
export async function openEngines(dir: string, sqs?: LocalSqs): Promise<Engines> {
  const [kms, s3] = await Promise.all([startKms(dir), startS3(dir)]);
  try {
    const dynamodb = await openEngine(dir);
    const close = async () => {
      await Promise.all([kms.close(), s3.close()]);
      await dynamodb.close();
    };
    try {
      const isNew = await createTable(dynamodb.endpoint, tableName);
      pointAtLocal({
        dynamodb: dynamodb.endpoint,
        kms: kms.endpoint,
        s3: s3.endpoint,
        ...(sqs && { sqs: sqs.endpoint }),
      });
      return { isNew, close };
    } catch (thrown) {
      await dynamodb.close();
      throw thrown;
    }
  } catch (thrown) {
    await Promise.all([kms.close(), s3.close()]);
    throw thrown;
  }
}
