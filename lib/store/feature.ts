// Feature data of a location, and each participant's history of it. An item is written with the entries of its history;
// those of former participants go with it where a transaction has room, and else are listed beside it until they are gone.
import { randomUUID } from "node:crypto";
import type { FeatureLinks } from "../deletion/descendants.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { dataKeys, type FeatureKind } from "./data-keys.ts";

export interface FeaturePlace {
  workspace: string;
  organizationId: string;
  uid: string;
  luid: string;
}

export interface FeatureName {
  kind: FeatureKind;
  id: string;
}

export interface StoredFeature extends FeatureLinks {
  /** When it was first written, ISO 8601: its place in the histories. */
  at: string;
  /** The shape as given, as JSON: the table could not hold every number and every depth of it. */
  record: string;
  /** Changes with every write, which so depends on what was read. */
  rev: string;
  /** Entries of former participants are still to be removed. */
  hasFormer?: boolean;
}

/** One user's part in one item. */
export interface HistoryEntry extends FeatureName {
  sk: string;
  uid: string;
  luid: string;
}

/** Entries that change in one transaction: with the item and one list it stays within what a unit can have. */
const entriesMax = 90;

const keyOf = ({ workspace, uid, luid }: FeaturePlace, { kind, id }: FeatureName) =>
  dataKeys.feature(workspace, uid, luid, kind, id);
const formerKeyOf = ({ workspace, uid, luid }: FeaturePlace, { kind, id }: FeatureName) =>
  dataKeys.formerFeature(workspace, uid, luid, kind, id);

export async function getMany(workspace: string, names: readonly (FeatureName & { uid: string; luid: string })[]) {
  return Table.getMany<StoredFeature>(
    names.map(({ uid, luid, kind, id }) => dataKeys.feature(workspace, uid, luid, kind, id)),
  );
}

/** The writes of one item over what was read of it; their condition is lost where it has changed since. */
export function writing(
  place: FeaturePlace,
  name: FeatureName,
  { record, participants, at }: Pick<StoredFeature, "record" | "participants" | "at">,
  stored: StoredFeature | undefined,
): { writes: Write[]; next: StoredFeature } {
  const { organizationId, luid } = place;
  const historySk = stored?.historySk ?? dataKeys.participationSk(at, luid, name.id);
  const added = participants.filter((each) => !stored?.participants.includes(each));
  const removed = (stored?.participants ?? []).filter((each) => !participants.includes(each));
  const hasFormer = added.length + removed.length > entriesMax;
  const links = { organizationId, historySk };
  const next = {
    ...links,
    participants,
    at: stored?.at ?? at,
    record,
    rev: randomUUID(),
    ...(hasFormer && { hasFormer }),
  };
  const writes: Write[] = [
    { put: { ...keyOf(place, name), ...next }, if: stored ? { rev: stored.rev } : "absent" },
    ...added.map((userId) => ({ put: { ...entryKey(place, name, userId, historySk), ...entryOf(place, name) } })),
    ...(hasFormer
      ? [{ put: { ...formerKeyOf(place, name), ...links, participants: removed } }]
      : removed.map((userId) => ({ delete: entryKey(place, name, userId, historySk) }))),
  ];
  return { writes, next };
}

const entryOf = ({ uid, luid }: FeaturePlace, { kind, id }: FeatureName) => ({ uid, luid, kind, id });

const entryKey = ({ workspace, organizationId }: FeaturePlace, { kind }: FeatureName, userId: string, sk: string) =>
  dataKeys.participation(workspace, organizationId, userId, kind, sk);

/** Removes the entries of former participants; lost, and left to the next write, where the item has changed since. */
export async function dropFormer(place: FeaturePlace, name: FeatureName, stored: StoredFeature): Promise<void> {
  const former = await Table.get<FeatureLinks>(formerKeyOf(place, name));
  const gone = (former?.participants ?? []).filter((each) => !stored.participants.includes(each));
  await Table.commit([
    { update: keyOf(place, name), set: { rev: randomUUID() }, remove: ["hasFormer"], if: { rev: stored.rev } },
    ...gone.map((userId) => ({ delete: entryKey(place, name, userId, stored.historySk) })),
    { delete: formerKeyOf(place, name) },
  ]);
}

/** One page of a user's part in a kind of feature data, the oldest first. */
export async function history(
  workspace: string,
  organizationId: string,
  userId: string,
  kind: FeatureKind,
  range: { after?: string; limit: number },
) {
  const { pk } = dataKeys.participation(workspace, organizationId, userId, kind, "");
  return Table.query<HistoryEntry>({ pk, ...range });
}
