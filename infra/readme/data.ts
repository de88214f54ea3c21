// The data dictionary: a row for each entity. The entity itself builds the keys.
import { entities } from "../../lib/store/entities.ts";
import { table } from "./table.ts";

/** The fields that keys are built from. The data dictionary shows each as a placeholder in braces. */
const names = [
  ...[
    "workspace",
    "organizationId",
    "userId",
    "organizationUserGroupId",
    "groupUid",
    "folderId",
    "folderUid",
    "childId",
  ],
  ...["documentId", "documentUid", "locationUid", "mergedUid", "identity", "kind", "id", "at", "editorId", "part"],
  ...["migrationId", "notificationId", "digest", "endpointId", "dueAt", "agentId", "sourceId", "sourceUid", "index"],
  ...[
    "createdAt",
    "position",
    "recordId",
    "month",
    "version",
    "jobId",
    "countId",
    "userHash",
    "callHash",
    "claimId",
    "fingerprint",
    "setting",
    "slot",
    "hash",
    "creationId",
    "tokenId",
    "domain",
    "kid",
    "generation",
    "base",
    "updateId",
    "shard",
    "channel",
    "origin",
    "lastAt",
    "addressHash",
    "day",
    "messageId",
    "callId",
    "first",
    "sequence",
    "activityId",
    "listName",
    "place",
    "nonce",
  ],
];
const placeholders = Object.fromEntries(names.map((name) => [name, `{${name}}`]));

/** Removes the zeros that pad numbers in keys: they would stand before a placeholder. */
const unpadded = (key: string) => key.replace(/0+(?=\{)/g, "");

export function dataTable(): string {
  const rows = entities.map(({ name, about, keyOf }) => {
    const { pk, sk } = keyOf(placeholders);
    if (`${pk}${sk}`.includes("undefined"))
      throw new Error(`The key of ${name} uses a field that is not in \`names\` of infra/readme/data.ts.`);
    return [`\`${name}\``, about, `\`${pk}\` \`${unpadded(sk)}\``];
  });
  return table(["Entity", "What it is", "Partition key, sort key"], rows);
}
