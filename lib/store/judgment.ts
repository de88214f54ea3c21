// Judgments: what reviewers decided, and why. Each write counts up the version of its month and logs which records
// changed, in the transaction of the change itself.

import { callSignal } from "../call.ts";
import { backoff } from "../concurrency.ts";
import { erasedUserId } from "../deletion/redact.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { ApiError } from "../errors.ts";
import { ttlAfter } from "../retention.ts";
import type { Judgment } from "../schema/memory.ts";
import type { Key } from "./keys.ts";
import { memoryKeys } from "./memory-keys.ts";

/** A month of one organization's judgments, or of the workspace's own (`organizationId` empty). */
export interface Month {
  organizationId: string;
  month: string;
  /** Counts the writes to it. */
  version: number;
  /** How many records it holds. */
  size: number;
}

/** What tells where a record is stored. */
interface Place {
  organizationId: string;
  createdAt: string;
}

/** Records of one transaction: a move is seven writes, with the months it touches. */
const recordsMax = 14;
const charactersMax = 1_200_000;
const attemptsMax = 10;

/** Stores the judgments; one whose `recordId` is known replaces that record. Safe to run twice. */
export async function add(workspace: string, judgments: readonly Judgment[]): Promise<void> {
  for (const group of groups(judgments)) {
    for (let attempt = 0; !(await store(workspace, group)); attempt++) {
      if (attempt >= attemptsMax) throw new ApiError("UNAVAILABLE", "The memory is being changed. Try again.");
      await backoff(attempt, callSignal());
    }
  }
}

/** Takes a user's name off records, given as they are stored; answers whether there was any. */
export async function eraseUser(workspace: string, records: readonly Table.Item[], userId: string): Promise<boolean> {
  const theirs = records.map(judgmentOf).filter(({ actionUser }) => actionUser.userId === userId);
  await add(
    workspace,
    theirs.map((each) => ({ ...each, actionUser: { userId: erasedUserId } })),
  );
  return theirs.length > 0;
}

export async function getMany(found: readonly Key[]): Promise<(Judgment | undefined)[]> {
  const records = await Table.getMany<Table.Item>(found);
  return records.map((record) => record && judgmentOf(record));
}

/** A record as it is stored. */
export function judgmentOf({ pk: _pk, sk: _sk, ...judgment }: Table.Item): Judgment {
  return judgment as unknown as Judgment;
}

/** The months that hold judgments, of one organization or of all. */
export async function months(workspace: string, organizationId?: string): Promise<Month[]> {
  const first = memoryKeys.month(workspace, organizationId ?? "", "");
  const range = { pk: first.pk, ...(organizationId !== undefined && { beginsWith: first.sk }) };
  return (await Array.fromAsync(Table.all<Month>(range))).flat();
}

/** The sort keys of the records that changed after a version; undefined where the log no longer tells. */
export async function changedSince(judgments: string, after: number, until: number): Promise<string[] | undefined> {
  const range = { pk: memoryKeys.changes(judgments), after: memoryKeys.change(judgments, after).sk };
  const changes = (await Array.fromAsync(Table.all<{ records: string[] }>(range))).flat();
  return changes.length >= until - after ? [...new Set(changes.flatMap(({ records }) => records))] : undefined;
}

/** One transaction. False: something of it was changed meanwhile. */
async function store(workspace: string, group: readonly Judgment[]): Promise<boolean> {
  const names = group.map(({ recordId }) => memoryKeys.recordName(workspace, recordId));
  const known = await Table.getMany<Place>(names);
  const writes: Write[] = [];
  const touched = new Map<string, Month & { records: string[] }>();
  for (const [index, judgment] of group.entries()) {
    const { recordId, organizationId = "", createdAt } = judgment;
    const place: Place = { organizationId, createdAt };
    const before = known[index];
    const key = touch(recordId, place, before ? 0 : 1);
    const unchanged = before ? { organizationId: before.organizationId, createdAt: before.createdAt } : "absent";
    writes.push({ put: { ...key, ...judgment } }, { put: { ...(names[index] as Key), ...place }, if: unchanged });
    const isMoved = before && (before.organizationId !== organizationId || before.createdAt !== createdAt);
    if (isMoved) {
      writes.push({ delete: touch(recordId, before, -1) });
      touch(recordId, place, 1);
    }
  }
  const pages = await Table.getMany<Month>([...touched.values()].map((each) => monthKey(workspace, each)));
  for (const [index, [pk, { records, ...month }]] of [...touched].entries()) {
    const before = pages[index];
    const version = (before?.version ?? 0) + 1;
    const size = (before?.size ?? 0) + month.size;
    const put = { ...monthKey(workspace, month), ...month, version, size };
    writes.push({ put, if: before ? { version: before.version } : "absent" });
    writes.push({ put: { ...memoryKeys.change(pk, version), records, ttl: ttlAfter("memoryChange") } });
  }
  return Table.commit(writes);

  /** Notes that the record there changes, and by how many the month grows. */
  function touch(recordId: string, { organizationId, createdAt }: Place, growth: number): Key {
    const key = memoryKeys.judgment(workspace, organizationId, createdAt, recordId);
    const month = touched.get(key.pk) ?? {
      organizationId,
      month: createdAt.slice(0, 7),
      version: 0,
      size: 0,
      records: [],
    };
    month.records.push(key.sk);
    month.size += growth;
    touched.set(key.pk, month);
    return key;
  }
}

const monthKey = (workspace: string, { organizationId, month }: Pick<Month, "organizationId" | "month">) =>
  memoryKeys.month(workspace, organizationId, month);

/** Splits so that each part fits one transaction, also where every record moves and lies in a month of its own. */
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
