// Random workspaces for the calls of users: copies of one template, each with other grants and settings. The table of a
// copy has nothing else in it.
import { vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { foldersUpdate } from "../../../functions/folders/folders-update.ts";
import { permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { tokensRevoke } from "../../../functions/user-tokens/tokens-revoke.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { permissionproviderconfigUpdate } from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import * as ProviderAnswer from "../../../lib/store/access/provider-answer.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { newAttacked } from "../../support/attacked.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { newContainers } from "../../support/exact/containers.ts";
import { drawAs } from "../../support/exact/draws.ts";
import fc from "../../support/property.ts";
import { allItems } from "../../support/scan.ts";
import { byName } from "../../support/user-requests.ts";
import { tokenOf } from "../../support/users.ts";
import { onDocument, onFolder, onOrganization, organizationId } from "../../support/workspace.ts";

export const userIds = ["ann", "eve", "zoe"] as const;
export type UserId = (typeof userIds)[number];

export interface Template {
  as: Credentials;
  tokens: Record<UserId, string>;
  items: Item[];
  at: number;
}

/** ann edits `d`, eve views it, and zoe's token names no organization. */
export async function newTemplate(): Promise<Template> {
  const { as, ann, eve } = await newAttacked();
  const tokens = { ann, eve, zoe: await tokenOf(as, "zoe", "viewer", { permissions: { resources: [] } }) };
  return { as, tokens, items: (await allItems()) as Item[], at: Date.now() };
}

const role = fc.constantFrom("viewer", "editor");
const accessType = fc.constantFrom("public", "restricted", "organizationPrivate");
const documentIds = ["d", "hidden", "deep"];
const target = fc.constantFrom(
  ...[...documentIds.map((id) => onDocument(id)), onFolder("f"), onFolder("g"), onOrganization()],
  { type: "document", id: "d", organizationId: "p" },
);

/** A change of the template, by a server. */
export const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("grant"), target, role }) },
  fc.record({ do: fc.constant("remove"), target }),
  fc.record({ do: fc.constant("delete user") }),
  fc.record({ do: fc.constant("revoke") }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant("default"), accessType }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("document"), id: fc.constantFrom(...documentIds), accessType }) },
  fc.record({ do: fc.constant("folder"), accessType }),
  fc.record({ do: fc.constant("delete document"), id: fc.constantFrom(...documentIds) }),
  fc.record({
    do: fc.constant("provider"),
    answers: fc.dictionary(fc.constantFrom(...documentIds, "missing"), fc.option(role, { nil: undefined })),
  }),
);
type Change = {
  do: string;
  id?: string;
  target?: { type: string; id: string };
  role?: "viewer" | "editor";
  accessType?: "public" | "restricted" | "organizationPrivate";
  answers?: Record<string, "viewer" | "editor" | undefined>;
};

/**
 * Begins with a copy of the template, whose user `userId` the changes concern. Equal changes make equal worlds. Returns
 * where the user's token has ended. Who is not known to the organization cannot be deleted from it.
 */
export async function load({ as, items, at }: Template, userId: string, changes: readonly Change[]) {
  newContainers();
  newTableInMemory();
  drawAs("world");
  vi.setSystemTime(at + 2_000);
  await putAll(items.map((put) => ({ put })));
  let ended: "everywhere" | "in the organization" | "nowhere" = "nowhere";
  for (const each of changes) {
    const result = JSON.stringify((await make(as, userId, each)) ?? {});
    if (each.do === "revoke") ended = "everywhere";
    if (ended === "nowhere" && each.do === "delete user" && result.includes("User deleted."))
      ended = "in the organization";
  }
  return ended;
}

async function make(as: Credentials, userId: string, { target, role, accessType, answers = {}, ...each }: Change) {
  const workspace = as.apiKey;
  const user = { user: { userId } };
  const byServer = (endpoint: { name: string }, data: object) =>
    call(endpoint, { as, data: { organizationId, ...data } });
  const changes: Record<string, () => Promise<unknown>> = {
    grant: () => byServer(permissionsAdd, { ...user, permissions: { resources: [{ ...target, accessRole: role }] } }),
    remove: () => byServer(permissionsRemove, { ...user, permissions: { resources: [target] } }),
    "delete user": () => byServer(usersDelete, { userIds: [userId] }),
    revoke: () => must(tokensRevoke, { as, data: { userId } }),
    default: () => Setting.update({ workspace }, "access", { defaultAccessType: accessType as "public" }),
    document: () => byServer(documentsUpdate, { documents: [{ documentId: each.id, accessType }] }),
    folder: () => byServer(foldersUpdate, { folders: [{ folderId: "f", accessType }] }),
    "delete document": () => byServer(documentsDelete, { documentIds: [each.id] }),
    provider: async () => {
      const permissionProviderConfig = { permissionProviderUrl: "http://127.0.0.1:9/", authToken: "secret" };
      const data = { usePermissionProvider: true, permissionProviderConfig };
      await must(permissionproviderconfigUpdate, { as, data });
      for (const [documentId, accessRole] of Object.entries(answers))
        await ProviderAnswer.keep({ workspace, organizationId, userId, documentId }, { accessRole }, Date.now());
    },
  };
  return changes[each.do]?.();
}

/** What a server changes where the user has no access: in this document, and among others. */
export async function changeUnseen({ as }: Template, documentId: string | undefined, choice: number): Promise<void> {
  const on = { organizationId, documentId };
  const from = { userId: "bob" };
  const inDocument = [
    () => call(documentsDelete, { as, data: { organizationId, documentIds: [documentId] } }),
    () => call(byName("documents-data-delete"), { as, data: { ...on, kind: "comments", ids: ["a"] } }),
    () => call(byName("presence-delete"), { as, data: { ...on, userIds: ["bob"] } }),
    () => call(byName("crdt-delete"), { as, data: { ...on, editorIds: ["e"] } }),
    () =>
      call(byName("comments-add"), { as, data: { ...on, annotationId: "a", comments: [{ commentId: "z", from }] } }),
    () => call(documentsUpdate, { as, data: { organizationId, documents: [{ documentId, documentName: "New" }] } }),
  ];
  const elsewhere = [
    () => call(byName("organizations-delete"), { as, data: { organizationId: "p" } }),
    () => call(byName("notifications-delete"), { as, data: { organizationId, ...from, notificationIds: ["n"] } }),
    () => call(byName("organizations-add"), { as, data: { organizations: [{ organizationId: "q" }] } }),
    () => call(byName("documents-add"), { as, data: { organizationId, documents: [{ documentId: "missing" }] } }),
  ];
  const all = documentId === undefined ? elsewhere : [...inDocument, ...elsewhere];
  await all[choice % all.length]?.();
}
