import { openEngine } from "./dynamodb.ts";
import { pointAtLocal, tableName } from "./environment.ts";
import { startKms } from "./kms.ts";
import { startS3 } from "./s3.ts";
import type { LocalSqs } from "./sqs.ts";
import { createTable } from "./table.ts";

export interface Engines {
  /** True when this call created the table, which is then empty. */
  isNew: boolean;
  close(): Promise<void>;
}

/**
 * Opens a data folder: starts KMS and S3, starts or joins the DynamoDB engine, creates the table, and sets the
 * environment. Without `sqs`, the store and the secrets work, and jobs wait until a server runs.
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
