// Writes and deletes judgments. Each change increments a counter of its month and logs the changed records, in one
// transaction. So a container that has the month in its index drops the records at the next question.
import { chunks } from "../../concurrency.ts";
import { conflict } from "../../dynamodb/retry-on-conflict.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import type { Judgment } from "../../schema/memory.ts";
import { distinct } from "../../schema/primitives.ts";
import { getStored, isBeingDeleted, type Organization } from "../content/organization-life.ts";
import type { WorkspaceRef } from "../refs.ts";
import { type JudgmentLocation, judgmentEntity, judgmentRecordEntity, refOf } from "./judgment.ts";
import { MonthChanges, onSomeCounter } from "./month-changes.ts";

/** Most records in one transaction of 100 writes. A record that moves to another month takes seven writes. */
const addedMax = 14;
const charactersMax = 1_200_000;

/**
 * Stores the judgments. A judgment with a known `recordId` replaces that record. Idempotent. If some of the named
 * organizations are being deleted, it stores nothing and returns them.
 */
export async function addJudgments(ref: WorkspaceRef, judgments: readonly Judgment[]): Promise<Organization[]> {
  const named = distinct(judgments.flatMap(({ organizationId }) => organizationId ?? []));
  for (const [index, group] of groups(judgments).entries()) {
    const organizationIds = index === 0 ? named : [];
    const deleted = await onSomeCounter(async (counter) => {
      const stored = await store(ref, { group, organizationIds, counter });
      return stored === false ? conflict : stored;
    });
    if (deleted.length > 0) return deleted;
  }
  return [];
}

interface Group {
  group: readonly Judgment[];
  /** The organizations to check. */
  organizationIds: readonly string[];
  counter: number;
}

/**
 * One transaction. Returns the organizations that are being deleted; then nothing is written. Returns false when another
 * call changed one of its items meanwhile.
 */
async function store(
  { workspace }: WorkspaceRef,
  { group, organizationIds, counter }: Group,
): Promise<Organization[] | false> {
  const refs = group.map(({ recordId }) => ({ workspace, recordId }));
  const [stored, organizations] = await Promise.all([
    Table.getMany<JudgmentLocation>(refs.map((ref) => judgmentRecordEntity.key(ref))),
    getStored({ workspace }, organizationIds),
  ]);
  const deleted = organizations.filter(isBeingDeleted);
  if (deleted.length > 0) return deleted;
  const months = new MonthChanges(workspace, counter);
  const writes = group.flatMap((judgment, index): Write[] => {
    const { recordId, organizationId = "", createdAt } = judgment;
    const at = (location: JudgmentLocation) => refOf({ workspace, recordId }, location);
    const next = { organizationId, createdAt };
    const before = stored[index] && {
      organizationId: stored[index].organizationId,
      createdAt: stored[index].createdAt,
    };
    const isMoved = before && (before.organizationId !== organizationId || before.createdAt !== createdAt);
    months.add(at(next), before && !isMoved ? 0 : 1);
    if (isMoved) months.add(at(before), -1);
    return [
      judgmentEntity.put(at(next), judgment),
      judgmentRecordEntity.put(at(next), next, before ?? "absent"),
      ...(isMoved ? [judgmentEntity.delete(at(before))] : []),
    ];
  });
  return (await writeAll([...writes, ...(await months.writes())])) && [];
}

/** Splits the judgments into parts that fit one transaction, even if every record moves between two other months. */
function groups(judgments: readonly Judgment[]): Judgment[][] {
  const parts: Judgment[][] = [];
  let characters = 0;
  for (const judgment of judgments) {
    const size = JSON.stringify(judgment).length;
    const current = parts.at(-1);
    if (current && current.length < addedMax && characters + size <= charactersMax) current.push(judgment);
    else {
      parts.push([judgment]);
      characters = 0;
    }
    characters += size;
  }
  return parts;
}

/** A unit has at most 83 writes. A record takes four writes, if it is the only one of its month. */
const removedMax = 20;

/** Returns the record ids of the deleted judgments. The other judgments did not exist. */
export async function removeJudgments(ref: WorkspaceRef, recordIds: readonly string[]): Promise<Set<string>> {
  const removed = new Set<string>();
  for (const group of chunks(recordIds, removedMax)) {
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
