import { startCheckedDynamodb } from "./checked-dynamodb.ts";
import { requireWhole } from "./data-folder.ts";
import { openEngine } from "./dynamodb.ts";
import { pointAtLocal, tableName } from "./environment.ts";
import { startHardDynamodb } from "./hard/dynamodb.ts";
import { startKms } from "./kms.ts";
import { startS3 } from "./s3.ts";
import type { LocalSqs } from "./sqs.ts";
import { createTable } from "./table.ts";

export interface EnginesOptions {
  sqs?: LocalSqs;
  /** The seed of an engine that is as hard as AWS. Without it, the engine disturbs nothing. */
  hardSeed?: number | undefined;
}

export interface Engines {
  /** The DynamoDB engine itself, which disturbs and checks nothing. */
  dynamodb: string;
  close(): Promise<void>;
}

/**
 * Opens a data folder: starts KMS and S3, starts or joins the DynamoDB engine, creates the table, and sets the
 * environment. Without `sqs`, the store and the secrets work, and jobs wait until a server runs.
 */
export async function openEngines(dir: string, { sqs, hardSeed }: EnginesOptions = {}): Promise<Engines> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let last = closers.pop(); last; last = closers.pop()) await last();
  };
  try {
    requireWhole(dir);
    const [kms, s3] = await Promise.all([startKms(dir), startS3(dir)]);
    closers.push(kms.close, s3.close);
    const engine = await openEngine(dir);
    closers.push(engine.close);
    const dynamodb =
      hardSeed === undefined
        ? await startCheckedDynamodb(engine.endpoint)
        : await startHardDynamodb({ engine: engine.endpoint, seed: hardSeed });
    closers.push(dynamodb.close);
    await createTable(engine.endpoint, tableName);
    pointAtLocal({
      dynamodb: dynamodb.endpoint,
      kms: kms.endpoint,
      s3: s3.endpoint,
      ...(sqs && { sqs: sqs.endpoint }),
    });
    return { dynamodb: engine.endpoint, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
