// Deletes judgments. Each deletion increments a counter of its month and logs the records, in one transaction. So a
// container that has the month in its index drops the records at the next question.
import { chunks } from "../../concurrency.ts";
import { conflict } from "../../dynamodb/retry-on-conflict.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import type { WorkspaceRef } from "../refs.ts";
import { type JudgmentLocation, judgmentEntity, judgmentRecordEntity, refOf } from "./judgment.ts";
import { MonthChanges, onSomeCounter } from "./month-changes.ts";

/** A unit has at most 83 writes. A record takes four writes, if it is the only one of its month. */
const recordsMax = 20;

/** Returns the record ids of the deleted judgments. The other judgments did not exist. */
export async function removeJudgments(ref: WorkspaceRef, recordIds: readonly string[]): Promise<Set<string>> {
  const removed = new Set<string>();
  for (const group of chunks(recordIds, recordsMax)) {
    for (const id of await onSomeCounter((counter) => remove(ref, group, counter))) removed.add(id);
  }
  return removed;
}

async function remove({ workspace }: WorkspaceRef, recordIds: readonly string[], counter: number) {
  const keys = recordIds.map((recordId) => judgmentRecordEntity.key({ workspace, recordId }));
  const stored = await Table.getMany<JudgmentLocation>(keys);
  const found = recordIds.flatMap((recordId, index) => {
    const location = stored[index];
    return location ? [refOf({ workspace, recordId }, location)] : [];
  });
  if (found.length === 0) return [];
  const months = new MonthChanges(workspace, counter);
  const writes = found.flatMap((ref): Write[] => {
    const { organizationId, createdAt } = ref;
    months.add(ref, -1);
    return [judgmentEntity.delete(ref), judgmentRecordEntity.delete(ref, { organizationId, createdAt })];
  });
  const isRemoved = await writeAll([...writes, ...(await months.writes())]);
  return isRemoved ? found.map(({ recordId }) => recordId) : conflict;
}
