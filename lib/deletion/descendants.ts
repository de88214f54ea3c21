// What hangs from an item elsewhere in the table, so that removing something can leave nothing behind. The keys alone
// tell most of it: no segment of a key contains "#", so a key is built from another's parts without knowing the ids.

import type { Item } from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { dataKeys, type FeatureKind, featureKinds } from "../store/data-keys.ts";
import { type Key, keys, shardCount } from "../store/keys.ts";
import { memoryKeys } from "../store/memory-keys.ts";

export interface Hanging {
  /** Partitions to be emptied. */
  partitions: string[];
  items: Key[];
  /** Removals of what can be another's by now, whose condition is lost then. */
  names: Write[];
}

type Rule = (item: Item, workspace: string) => Partial<Hanging>;

/** By the kinds of segments in a partition's key behind the workspace's: `W#w#O#o#U#3` is "O U". */
const rules: Record<string, Rule> = {
  "": ({ pk, sk }) =>
    sk.startsWith("HOOK#") ? { partitions: ["", "#Q", "#LOG"].map((end) => `${pk}#${sk}${end}`) } : {},
  // A month of judgments, and what changed in it.
  JD: ({ organizationId, month }, workspace) => {
    const judgments = memoryKeys.judgments(workspace, String(organizationId), String(month));
    return { partitions: [judgments, memoryKeys.changes(judgments)] };
  },
  KD: ({ uid }, workspace) => ({ partitions: [memoryKeys.chunks(workspace, String(uid))] }),
  "J M": ({ recordId }, workspace) => ({ items: [memoryKeys.recordName(workspace, String(recordId))] }),
  ORGS: ({ pk, sk }) => {
    const organization = pk.replace(/#ORGS#\d+$/, `#O#${sk}`);
    const shards = Array.from({ length: shardCount }, (_, shard) => shard);
    const lists = ["U", "F", "D"].flatMap((kind) => shards.map((shard) => `${organization}#${kind}#${shard}`));
    return { partitions: [organization, ...lists, `${organization}#C#`] };
  },
  O: ({ pk, sk, reservedUid }, workspace) => {
    if (sk.startsWith("GROUP#")) return { partitions: [`${pk}#G#${sk.slice("GROUP#".length)}`] };
    // No pointer leads any more to the grants that a migration has still to bring along.
    return reservedUid === undefined ? {} : { partitions: [keys.documentData(workspace, String(reservedUid))] };
  },
  "O U": ({ pk, sk }) => ({ partitions: userPartitions(pk.replace(/#U#\d+$/, ""), sk) }),
  "O F": ({ pk, sk }) => ({ partitions: [pk.replace(/#F#\d+$/, `#C#${sk}`)] }),
  "O D": ({ pk, sk, uid }, workspace) => {
    const [w = "", o = ""] = [pk.split("#O#")[0], pk.split("#")[3]];
    return { partitions: [keys.documentData(workspace, String(uid))], items: [{ pk: `${w}#DOC#${sk}`, sk: o }] };
  },
  X: ({ pk, sk, ...item }, workspace) => {
    if (sk.startsWith("L#")) return { partitions: [`${pk}#${sk}`] };
    if (!sk.startsWith("NOTE#")) return {};
    const { notificationId, organizationId } = item as Record<string, string>;
    const list = dataKeys
      .recipients(workspace, "", notificationId ?? "", "")
      .pk.split("#")
      .at(-1);
    const name = dataKeys.notificationName(workspace, organizationId ?? "", notificationId ?? "");
    return { partitions: [`${pk}#N#${list}`], names: [{ delete: name, if: { uid: pk.split("#").at(-1) } }] };
  },
  "X L": ({ pk, sk, ...item }, workspace) => {
    const document = pk.replace(/#L#[^#]*$/, "");
    if (sk.startsWith("MERGED#")) {
      const node = `L#${sk.slice("MERGED#".length)}`;
      return { partitions: [`${document}#${node}`], items: [{ pk: document, sk: node }] };
    }
    const kind = sk.split("#")[0] as FeatureKind;
    const { participants, organizationId, historySk } = item as unknown as FeatureLinks;
    return {
      items: participants.map((userId) => dataKeys.participation(workspace, organizationId, userId, kind, historySk)),
    };
  },
  "X N": (item, workspace) => {
    const { userIds, organizationId, at, notificationId } = item as unknown as RecipientList;
    const ofUser = (userId: string) => [
      dataKeys.userNotification(workspace, organizationId, userId, at, notificationId),
      dataKeys.readMark(workspace, organizationId, userId, at, notificationId),
    ];
    return { items: userIds.flatMap(ofUser) };
  },
};

/** What a feature item says of the histories that it is in. */
export interface FeatureLinks {
  organizationId: string;
  participants: string[];
  /** Sort key of its entry in each participant's history. */
  historySk: string;
}

/** What one step of a fan-out says of the users whom it notified. */
export interface RecipientList {
  organizationId: string;
  notificationId: string;
  at: string;
  userIds: string[];
}

/** Partitions of one user: grants on folders, notifications and which are read, the part in each kind of feature data. */
export function userPartitions(organizationPk: string, user: string): string[] {
  return [
    `${organizationPk}#UG#${user}`,
    `${organizationPk}#UN#${user}`,
    `${organizationPk}#UR#${user}`,
    ...featureKinds.map((kind) => `${organizationPk}#UP#${user}#${kind}`),
  ];
}

/** The kinds of segments in a partition's key behind the workspace's. */
export function shapeOf(pk: string): string {
  return pk
    .split("#")
    .filter((_, index) => index > 0 && index % 2 === 0)
    .join(" ");
}

export function hangingFrom(workspace: string, item: Item): Hanging {
  return { partitions: [], items: [], names: [], ...rules[shapeOf(item.pk)]?.(item, workspace) };
}
