// The changes of one transaction to the months of its records: each increments a counter of its month and logs the
// changed records.
import { BusyError } from "../../dynamodb/busy.ts";
import { conflict, retryOnConflict } from "../../dynamodb/retry-on-conflict.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { ttlAfter } from "../../retention.ts";
import type { Judgment } from "../../schema/memory.ts";
import { judgmentEntity, type MonthRef } from "./judgment.ts";
import { counterFor, judgmentChangeEntity, judgmentMonthEntity, type MonthCounter } from "./judgment-month.ts";

/** Repeats a write of judgments after a conflict, with another counter of its months. */
export function onSomeCounter<T>(write: (counter: number) => Promise<T | typeof conflict>): Promise<T> {
  return retryOnConflict("memory", async (attempt) => {
    try {
      return await write(counterFor(attempt));
    } catch (thrown) {
      // Another counter of the month can be less busy. When the table is throttled as a whole, repeats do not help.
      if (attempt === 0 && thrown instanceof BusyError) return conflict;
      throw thrown;
    }
  });
}

export class MonthChanges {
  readonly #workspace: string;
  readonly #counter: number;
  readonly #months = new Map<string, Omit<MonthCounter, "version" | "since"> & { records: string[] }>();

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
    const now = new Date().toISOString();
    return touched.flatMap((each, index) => {
      const before = stored[index];
      const version = (before?.version ?? 0) + 1;
      const size = (before?.size ?? 0) + each.size;
      const counted = { ...each, version, size, since: before?.since ?? now };
      const change = { records: each.records, ttl: ttlAfter("memoryChange") };
      return [
        judgmentMonthEntity.put(each, counted, before ? { version: before.version } : "absent"),
        judgmentChangeEntity.put({ ...each, version }, change),
      ];
    });
  }
}
