// Removes users from judgments. As in `judgment-changes.ts`, each transaction increments a counter of the month and logs
// the changed records.
import { chunks } from "../concurrency.ts";
import { conflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import { writeAll } from "../dynamodb/write-each.ts";
import { erasedUserId } from "../schema/fields.ts";
import type { Judgment } from "../schema/memory.ts";
import { getMany, judgmentEntity, refOf } from "../store/ai/judgment.ts";
import { MonthChanges, onSomeCounter } from "../store/ai/month-changes.ts";
import type { WorkspaceRef } from "../store/refs.ts";

/** Each record can belong to another month, which takes two further writes. A transaction has 100 writes. */
const recordsMax = 25;

/**
 * Replaces the users' ids in the stored records that name them. `counting` returns a further write for the transaction
 * that changes these items. Records that have changed since they were read are read again: a deleted record stays
 * deleted, and a record that now names another person keeps that person.
 */
export async function eraseUsersFromJudgments(
  { workspace }: WorkspaceRef,
  records: readonly object[],
  users: ReadonlySet<string>,
  counting: (items: readonly object[]) => Write,
): Promise<void> {
  const isNamed = ({ actionUser }: Judgment) => users.has(actionUser.userId);
  const refTo = ({ recordId, organizationId = "", createdAt }: Judgment) =>
    refOf({ workspace, recordId }, { organizationId, createdAt });
  for (const group of chunks(records.map(judgmentEntity.attributesOf).filter(isNamed), recordsMax)) {
    let rest: readonly Judgment[] = group;
    await onSomeCounter(async (counter) => {
      if (rest.length === 0) return undefined;
      const months = new MonthChanges(workspace, counter);
      for (const each of rest) months.add(refTo(each), 0);
      const erased = rest.map((each) =>
        judgmentEntity.update(refTo(each), { set: { actionUser: { userId: erasedUserId } } }, asRead(each)),
      );
      const count = counting(rest.map(() => ({ entity: judgmentEntity.name })));
      if (await writeAll([...erased, ...(await months.writes()), count])) return undefined;
      const stored = await getMany(rest.map((each) => judgmentEntity.key(refTo(each))));
      rest = stored.filter((each) => each !== undefined).filter(isNamed);
      return conflict;
    });
  }
}

const asRead = ({ actionUser }: Judgment) => ({ actionUser });
