// A field that is new in an input schema is stored only if an entity declares it.
import { beforeEach, describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { foldersAdd } from "../../../functions/folders/folders-add.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { tokenGenerate } from "../../../functions/user-tokens/token-generate.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersUpdate } from "../../../functions/users/users-update.ts";
import { webhookEndpointsCreate } from "../../../functions/webhooks/webhook-endpoints-create.ts";
import { webhookEndpointsUpdate } from "../../../functions/webhooks/webhook-endpoints-update.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { scopes } from "../../../lib/schema/scopes.ts";
import * as Grant from "../../../lib/store/access/grant.ts";
import * as User from "../../../lib/store/access/user.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as Folder from "../../../lib/store/content/folder.ts";
import { firstFolderUid, newDocumentUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { type Credentials, must } from "../../support/call.ts";
import { storedOf } from "../../support/refusal.ts";
import { addEndpoint } from "../../support/webhooks.ts";
import { newOrganization, onDocument, onFolder, onOrganization, organizationId } from "../../support/workspace.ts";

const url = "https://example.com/hooks";
const unknown = { unknownField: "the value of the unknown field" };

let as: Credentials;
let endpointId: string;
beforeEach(async () => {
  as = await newOrganization();
  await Setting.update({ workspace: as.apiKey }, "switches", { advancedWebhooks: true });
  await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u" }] } });
  await must(foldersAdd, { as, data: { organizationId, folders: [{ folderId: "existing" }] } });
  endpointId = (await addEndpoint(as.apiKey, { url })).id;
});

/** Expects that items were written, and that none has the unknown field. */
async function expectNotStored(before: Record<string, unknown>): Promise<void> {
  const after = await storedOf(as);
  expect(after).not.toEqual(before);
  expect(JSON.stringify(after)).not.toContain(unknown.unknownField);
}

/** The value with the unknown field in each of its objects. */
function withUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknown);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, withUnknown(each)]);
  return { ...Object.fromEntries(fields), ...unknown };
}

const requests: [{ name: string }, () => object][] = [
  [organizationsAdd, () => ({ organizations: [{ organizationId: "p", name: "P" }] })],
  [foldersAdd, () => ({ organizationId, folders: [{ folderId: "f", folderName: "F", accessType: "restricted" }] })],
  [documentsAdd, () => ({ organizationId, documents: [{ documentId: "d", documentName: "D" }] })],
  [usersAdd, () => ({ organizationId, users: [{ userId: "v", name: "V", accessRole: "viewer" }] })],
  [usersAdd, () => ({ organizationId, documentId: "d", users: [{ userId: "v", name: "V", accessRole: "viewer" }] })],
  [usersUpdate, () => ({ organizationId, users: [{ userId: "u", name: "U", accessRole: "viewer" }] })],
  [
    usersUpdate,
    () => ({ organizationId, folderId: "existing", users: [{ userId: "u", name: "U", accessRole: "viewer" }] }),
  ],
  [usergroupsAdd, () => ({ organizationId, organizationUserGroups: [{ organizationUserGroupId: "g" }] })],
  [permissionsAdd, () => ({ user: { userId: "u" }, permissions: { resources } })],
  [
    tokenGenerate,
    () => ({ userId: "u", userProperties: { name: "U", email: "u@example.com" }, permissions: { resources } }),
  ],
  [webhookEndpointsCreate, () => ({ url, description: "D", filterTypes: ["a.b"], disabled: true, rateLimit: 5 })],
  [webhookEndpointsUpdate, () => ({ endpointId, description: "D", rateLimit: 5 })],
  [webhookEndpointsUpdate, () => ({ endpointId, filterTypes: ["a.b"], disabled: true })],
];
const resources = [onOrganization(), onFolder("f"), onDocument("d")];
// users/update keeps further fields of a user on purpose.
const storing = requests.filter(([endpoint]) => endpoint !== usersUpdate);
const named = storing.map(([endpoint, data]) => [endpoint.name, endpoint, data] as const);

describe("an endpoint does not store an unknown field", () => {
  it.each(named)("%s, when it is called with one", async (_, endpoint, data) => {
    const before = await storedOf(as);
    await must(endpoint, { as, data: withUnknown(data()) });
    await expectNotStored(before);
  });

  // As if the input schema declared the field, and no entity did.
  it.each(named)("%s, when validation does not remove it", async (_, endpoint, data) => {
    const before = await storedOf(as);
    const declared = endpoint as Endpoint;
    const valid = withUnknown(declared.data.parse(data()));
    await declared.handle({
      say: () => {},
      addHeaders: () => {},
      data: valid,
      caller: await callerOf(as),
      request: { method: "POST", path: "/", host: "h" },
    });
    await expectNotStored(before);
  });
});

describe("a store function does not write an unknown attribute", () => {
  const ref = () => ({ workspace: as.apiKey, organizationId });
  const createdAt = "2026-01-31T12:00:00.000Z";
  const documentUid = newDocumentUid();
  const accessRole = "viewer" as const;

  it.each([
    ["Folder.creation", () => Folder.creation(ref(), { folderId: "f", ancestors: [], createdAt, ...unknown })],
    [
      "Document.creation",
      () => Document.creation(ref(), { documentId: "d", documentUid, ancestors: [], createdAt, ...unknown }, undefined),
    ],
    [
      "User.change",
      () => [
        User.change(
          { ...ref(), userId: "v", ...unknown },
          { profile: { name: "V", ...unknown }, grant: { accessRole, ...unknown } },
          "new",
        ),
      ],
    ],
    ["User.removal", () => User.removal(ref(), { userId: "v", ...unknown })],
    [
      "Grant.onFolder",
      () =>
        Grant.onFolder(
          { ...ref(), folderUid: firstFolderUid("f") },
          { userId: "u", generation: 0, accessRole, ...unknown },
        ),
    ],
    [
      "Grant.onDocument",
      () => [Grant.onDocument({ ...ref(), documentUid }, { userId: "u", generation: 0, accessRole, ...unknown })],
    ],
    [
      "WebhookEndpoint.creating",
      () => [
        WebhookEndpoint.creating(ref(), {
          id: "e",
          url,
          disabled: false,
          secrets: [],
          createdAt,
          updatedAt: createdAt,
          ...unknown,
        }),
      ],
    ],
    [
      "WebhookEndpoint.updating",
      () => [WebhookEndpoint.updating({ ...ref(), endpointId }, { set: { description: "D", ...unknown } })],
    ],
    ["Setting.updating", () => [Setting.updating(ref(), "switches", { notifications: false, ...unknown })]],
  ])("%s", async (_, writes) => {
    const before = await storedOf(as);
    expect(await commit(writes())).toBe(true);
    await expectNotStored(before);
  });
});

async function callerOf({ apiKey: workspace }: Credentials) {
  const record = (await Workspace.get({ workspace })) as Workspace.Workspace;
  const setting = <Name extends Setting.SettingName>(name: Name) => Setting.get({ workspace }, name);
  return {
    workspace,
    ref: { workspace },
    authTokenId: "id",
    rights: { scopes, expiresAt: undefined },
    record,
    buckets: [],
    readSettings: () => {},
    setting,
  };
}
