// Receipts of jobs that are done. A receipt outlives its job.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { hasEnded, ttlAfter } from "../../retention.ts";
import type { Progress, ShownKind } from "../../schema/jobs.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

export interface Receipt {
  jobId: string;
  kind: ShownKind;
  progress: Progress;
  /** A compact JWS. */
  jws: string;
}

type ReceiptRef = WorkspaceRef & Pick<Receipt, "jobId">;

export const receiptEntity = entity<Receipt & { ttl: number }>()({
  name: "receipt",
  attributes: ["jobId", "kind", "progress", "jws", "ttl"],
  pk: (ref: WorkspaceRef, shard) => `${workspacePartition(ref)}#RECEIPTS#${shard}`,
  sk: ({ jobId }: Pick<Receipt, "jobId">) => segment(jobId),
  shardBy: ({ jobId }) => jobId,
});

/** Stores the receipt of a job, unless an earlier run has stored one. */
export async function add(ref: WorkspaceRef, receipt: Receipt): Promise<void> {
  await writeAll([receiptEntity.put({ ...ref, ...receipt }, { ...receipt, ttl: ttlAfter("receipt") }, "absent")]);
}

export async function get(ref: ReceiptRef): Promise<Receipt | undefined> {
  const found = await Table.get<Receipt & { ttl: number }>(receiptEntity.key(ref));
  return found && !hasEnded(found) ? found : undefined;
}
