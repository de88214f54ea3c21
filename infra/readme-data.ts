// The README's table of what is stored. The keys come from where they are built.
import { dataKeys, type FeatureKind } from "../lib/store/data-keys.ts";
import { type Key, keys } from "../lib/store/keys.ts";
import { memoryKeys } from "../lib/store/memory-keys.ts";
import type { SettingName } from "../lib/store/setting.ts";
import { table } from "./readme-table.ts";

/** All of them, or this does not compile. */
const settings: Record<SettingName, true> = {
  switches: true,
  access: true,
  permissionProvider: true,
  webhooks: true,
  ai: true,
  email: true,
  activity: true,
};

/** One row a kind of item. */
export function dataTable(): string {
  const [w, o, shard] = ["{workspace}", "{org}", "{0-15}" as unknown as number];
  const kind = "{kind}" as FeatureKind;
  const sharded = (pk: string, sk: string): Key => ({ pk, sk });
  const rows: [entity: string, key: Key][] = [
    ["Workspace", keys.workspace(w)],
    ["Workspace, in the list of all", keys.workspaceEntry(w)],
    [`Setting: ${Object.keys(settings).join(", ")}`, keys.setting(w, "{setting}")],
    ["Signing key; the private half sealed", keys.signingKey(w)],
    ["Auth token; its SHA-256 only", keys.token(w, "{hash}")],
    ["Allowed domain", keys.domain(w, "{domain}")],
    ["Webhook endpoint; its secrets sealed", keys.webhookEndpoint(w, "{endpoint}")],
    ["Webhook endpoint: when its next delivery may start", keys.webhookRate(w, "{endpoint}")],
    ["Delivery to be made", sharded(keys.pendingDeliveries(w, "{endpoint}"), "{dueAt}#{delivery}")],
    ["Delivery that was attempted", keys.deliveryLog(w, "{endpoint}", "{delivery}")],
    ["Organization", keys.organization(w, o)],
    ["Organization, in the list of its workspace's", sharded(keys.organizationShard(w, shard), o)],
    ["User: profile, organization grant, preferences, life counter", sharded(keys.userShard(w, o, shard), "{user}")],
    ["Grant on a folder", keys.folderGrant(w, o, "{user}", "{folder}")],
    ["Folder; with its ancestors", sharded(keys.folderShard(w, o, shard), "{folder}")],
    ["Document: pointer to its uid", sharded(keys.documentShard(w, o, shard), "{document}")],
    ["Child of a folder: a document (`D`) or folder (`F`)", keys.child(w, o, "{folder}", "D", "{child}")],
    ["Locator: which organizations have a document", keys.documentLocator(w, "{document}", o)],
    ["Grant on a document", keys.documentGrant(w, "{uid}", "{user}")],
    ["Which document a uid belongs to", dataKeys.owner(w, "{uid}")],
    ["Location: pointer to its luid", dataKeys.location(w, "{uid}", "{identity}")],
    ["Location: what it is like, or what it was merged into", dataKeys.locationNode(w, "{uid}", "{luid}")],
    ["Location that was merged into another", dataKeys.merged(w, "{uid}", "{luid}", "{other}")],
    ["Feature data: a comment annotation, reaction or recording", dataKeys.feature(w, "{uid}", "{luid}", kind, "{id}")],
    [
      "Its former participants, until their history is without it",
      dataKeys.formerFeature(w, "{uid}", "{luid}", kind, "{id}"),
    ],
    ["A user's part in feature data", dataKeys.participation(w, o, "{user}", kind, "{at}#{luid}#{id}")],
    ["Preference of a user on a document", dataKeys.preference(w, "{uid}", "{user}")],
    ["Notification, once", dataKeys.notification(w, "{uid}", "{time}", "{notification}")],
    ["Its id, taken", dataKeys.notificationName(w, o, "{notification}")],
    ["Its recipients, a list a step", dataKeys.recipients(w, "{uid}", "{notification}", "{hash}")],
    ["Notification of a user", dataKeys.userNotification(w, o, "{user}", "{time}", "{notification}")],
    ["That the user has read it", dataKeys.readMark(w, o, "{user}", "{time}", "{notification}")],
    ["Until when the user has read all", dataKeys.readUpTo(w, o, "{user}")],
    ["Content of an editor, as a Yjs update", dataKeys.crdt(w, "{uid}", "{editor}")],
    [
      "Further part of it, where it is above 350 KB",
      dataKeys.crdtPart(w, "{uid}", "{editor}", "{1-}" as unknown as number),
    ],
    ["Presence of a user on a document", dataKeys.presence(w, "{uid}", "{user}")],
    ["User group", keys.userGroup(w, o, "{group}")],
    ["Member of a user group", keys.userGroupMember(w, o, "{group}", "{user}")],
    ["Reply to an Idempotency-Key, sealed; 24 h", sharded(keys.idempotencyShard(w, shard), "{hash}")],
    ["Run of an extraction, by file, type and provider", sharded(keys.ingestRunShard(w, shard), "{fingerprint}")],
    ["Job; in the index `due` until it is done", keys.job("{job}")],
    ["Migration of a document to a new id", dataKeys.migration(w, o, "{migration}")],
    ["Judgment of the memory", sharded(memoryKeys.judgments(w, o, "{month}"), "{time}#{record}")],
    ["Where a judgment is", memoryKeys.recordName(w, "{record}")],
    ["Month that has judgments; its version", memoryKeys.month(w, o, "{month}")],
    [
      "What changed in such a month",
      sharded(memoryKeys.change(memoryKeys.judgments(w, o, "{month}"), 0).pk, "{version}"),
    ],
    ["Agent", memoryKeys.agent(w, "{agent}")],
    ["Knowledge source; what its chunks hang from", memoryKeys.source(w, "{source}")],
    ["Chunk of a knowledge source", sharded(memoryKeys.chunks(w, "{uid}"), "{index}")],
  ];
  return table(
    ["Item", "pk", "sk"],
    rows.map(([entity, { pk, sk }]) => [entity, `\`${pk}\``, `\`${sk}\``]),
  );
}
