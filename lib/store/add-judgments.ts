// Writes judgments. Each write increments a counter of its month and logs the changed records, in one transaction.
import { erasedUserId } from "../deletion/redact.ts";
import { BusyError } from "../dynamodb/busy.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commit } from "../jobs/commit.ts";
import { ttlAfter } from "../retention.ts";
import type { Judgment } from "../schema/memory.ts";
import { type JudgmentLocation, judgmentEntity, judgmentRecordEntity, type MonthRef, monthOf } from "./judgment.ts";
import { counterFor, judgmentChangeEntity, judgmentMonthEntity, type MonthCounter } from "./judgment-month.ts";
import type { WorkspaceRef } from "./refs.ts";

/** Most records in one transaction of 100 writes. A record that moves to another month takes seven writes. */
const recordsMax = 14;
const charactersMax = 1_200_000;

/** Stores the judgments. A judgment with a known `recordId` replaces that record. Idempotent. */
export async function addJudgments(ref: WorkspaceRef, judgments: readonly Judgment[]): Promise<void> {
  for (const group of groups(judgments)) {
    await retryOnConflict("memory", async (attempt) => {
      try {
        return (await store(ref, group, counterFor(attempt))) ? undefined : conflict;
      } catch (thrown) {
        // Another counter of the month can be less busy. When the table is throttled as a whole, repeats do not help.
        if (attempt === 0 && thrown instanceof BusyError) return conflict;
        throw thrown;
      }
    });
  }
}

/** Replaces the user's id in the stored records that name the user. Returns whether there were any. */
export async function eraseUserFromJudgments(
  ref: WorkspaceRef,
  records: readonly object[],
  userId: string,
): Promise<boolean> {
  const named = records.map(judgmentEntity.attributesOf).filter(({ actionUser }) => actionUser.userId === userId);
  await addJudgments(
    ref,
    named.map((each) => ({ ...each, actionUser: { userId: erasedUserId } })),
  );
  return named.length > 0;
}

/** One transaction. Returns false when another call changed one of its items meanwhile. */
async function store({ workspace }: WorkspaceRef, group: readonly Judgment[], counter: number): Promise<boolean> {
  const refs = group.map(({ recordId }) => ({ workspace, recordId }));
  const stored = await Table.getMany<JudgmentLocation>(refs.map((ref) => judgmentRecordEntity.key(ref)));
  const months = new MonthChanges(workspace, counter);
  const writes = group.flatMap((judgment, index): Write[] => {
    const { recordId, organizationId = "", createdAt } = judgment;
    const refOf = (location: JudgmentLocation) => ({
      workspace,
      recordId,
      ...location,
      month: monthOf(location.createdAt),
    });
    const next = { organizationId, createdAt };
    const before = stored[index] && {
      organizationId: stored[index].organizationId,
      createdAt: stored[index].createdAt,
    };
    const isMoved = before && (before.organizationId !== organizationId || before.createdAt !== createdAt);
    months.add(refOf(next), before && !isMoved ? 0 : 1);
    if (isMoved) months.add(refOf(before), -1);
    return [
      judgmentEntity.put(refOf(next), judgment),
      judgmentRecordEntity.put(refOf(next), next, before ?? "absent"),
      ...(isMoved ? [judgmentEntity.delete(refOf(before))] : []),
    ];
  });
  return commit([...writes, ...(await months.writes())]);
}

/** The changes of one transaction to the months of its records. */
class MonthChanges {
  readonly #workspace: string;
  readonly #counter: number;
  readonly #months = new Map<string, Omit<MonthCounter, "version"> & { records: string[] }>();

  constructor(workspace: string, counter: number) {
    this.#workspace = workspace;
    this.#counter = counter;
  }

  /** Adds a changed record. `growth`: the number of records that its month gains. */
  add(record: MonthRef & Pick<Judgment, "createdAt" | "recordId">, growth: number): void {
    const { organizationId, month } = record;
    const { pk, sk } = judgmentEntity.key(record);
    const changes = this.#months.get(pk) ?? { organizationId, month, ...this.#place(), size: 0, records: [] };
    changes.records.push(sk);
    changes.size += growth;
    this.#months.set(pk, changes);
  }

  /** The counter 0 is stored without its number. */
  #place(): Pick<MonthCounter, "counter"> {
    return this.#counter === 0 ? {} : { counter: this.#counter };
  }

  /** The writes of the new versions and of the log. A condition fails when a counter has changed meanwhile. */
  async writes(): Promise<Write[]> {
    const touched = [...this.#months.values()].map((each) => ({ workspace: this.#workspace, ...each }));
    const stored = await Table.getMany<MonthCounter>(touched.map((each) => judgmentMonthEntity.key(each)));
    return touched.flatMap((each, index) => {
      const before = stored[index];
      const version = (before?.version ?? 0) + 1;
      const size = (before?.size ?? 0) + each.size;
      const change = { records: each.records, ttl: ttlAfter("memoryChange") };
      return [
        judgmentMonthEntity.put(each, { ...each, version, size }, before ? { version: before.version } : "absent"),
        judgmentChangeEntity.put({ ...each, version }, change),
      ];
    });
  }
}

/** Splits the judgments into parts that fit one transaction, even if every record moves between two other months. */
function groups(judgments: readonly Judgment[]): Judgment[][] {
  const parts: Judgment[][] = [];
  let characters = 0;
  for (const judgment of judgments) {
    const size = JSON.stringify(judgment).length;
    const current = parts.at(-1);
    if (current && current.length < recordsMax && characters + size <= charactersMax) current.push(judgment);
    else {
      parts.push([judgment]);
      characters = 0;
    }
    characters += size;
  }
  return parts;
}
