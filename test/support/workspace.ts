// Organizations, folders, documents and users through the API, and the items of a mocked table.
import { expect } from "vitest";
import { documentsAdd } from "../../functions/documents/documents-add.ts";
import { foldersAdd } from "../../functions/folders/folders-add.ts";
import { organizationsAdd } from "../../functions/organizations/organizations-add.ts";
import { permissionsAdd } from "../../functions/permissions/permissions-add.ts";
import { permissionsGet } from "../../functions/permissions/permissions-get.ts";
import { tokenGenerate } from "../../functions/user-tokens/token-generate.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { authTokenEntity, hashOf } from "../../lib/store/access/auth-token.ts";
import { userEntity } from "../../lib/store/access/user.ts";
import { documentEntity } from "../../lib/store/content/document.ts";
import { folderEntity } from "../../lib/store/content/folder.ts";
import { organizationEntity } from "../../lib/store/content/organization-life.ts";
import * as BeingErased from "../../lib/store/erasure/being-erased.ts";
import type { DocumentUid } from "../../lib/store/refs.ts";
import { workspaceEntity } from "../../lib/store/workspace.ts";
import { type Credentials, call, contextOf, eventOf, must, newWorkspace } from "./call.ts";

export const organizationId = "o";

/** Valid ids with unusual characters or names. */
export const oddIds = [
  "#",
  "%",
  "%23",
  "a/b",
  " two  spaces ",
  "🦜",
  "__proto__",
  "constructor",
  "toString",
  "10",
  "007",
  "e\u0301",
  "\u00e9",
  "🦜".repeat(256),
];

/** A workspace with the organization `o` in it. */
export async function newOrganization(): Promise<Credentials> {
  const as = await newWorkspace();
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  return as;
}

export async function addFolders(as: Credentials, ...folders: object[]): Promise<void> {
  const results = await must(foldersAdd, { as, data: { organizationId, folders } });
  expect(Object.values(results)).toEqual(folders.map(() => expect.objectContaining({ success: true })));
}

/** Documents of the folder, or of the organization's root. */
export async function addDocuments(as: Credentials, folderId: string | undefined, ...ids: string[]): Promise<void> {
  const documents = ids.map((documentId) => ({ documentId }));
  const results = await must(documentsAdd, { as, data: { organizationId, folderId, documents } });
  expect(Object.values(results)).toEqual(ids.map(() => expect.objectContaining({ success: true })));
}

export const onOrganization = (more: object = {}) => ({ type: "organization", id: organizationId, ...more });
export const onFolder = (id: string, more: object = {}) => ({ type: "folder", id, organizationId, ...more });
export const onDocument = (id: string, more: object = {}) => ({ type: "document", id, organizationId, ...more });

/** Grants through permissions/add. */
export async function give(as: Credentials, userId: string, ...resources: object[]): Promise<void> {
  await must(permissionsAdd, { as, data: { user: { userId }, permissions: { resources } } });
}

export async function permissionsOf(as: Credentials, data: { userIds: string[]; [field: string]: unknown }) {
  return must(permissionsGet, { as, data: { organizationId, ...data } });
}

/** One user's entry on one document. */
export async function onOne(as: Credentials, userId: string, documentId: string) {
  return (await permissionsOf(as, { userIds: [userId], documentIds: [documentId] }))[userId].documents[documentId];
}

/** One user's entry on the organization. */
export async function onWhole(as: Credentials, userId: string) {
  return (await permissionsOf(as, { userIds: [userId] }))[userId].organization[organizationId];
}

/** The paths of `details.issues`, as text. */
export async function issuesOf(endpoint: Pick<Endpoint, "name">, as: Credentials, data: unknown): Promise<string[]> {
  const { error } = await call(endpoint, { as, data });
  expect(error?.status).toBe("INVALID_ARGUMENT");
  return ((error?.details?.issues ?? []) as { path: string[] }[]).map(({ path }) => path.join("."));
}

/** The organization of the mocked table. */
export const mockedOrganization = { workspace: "w", organizationId };

/** A document of the mocked organization, as the table has it. */
export const mockedDocument = (
  documentId: string,
  more: { ancestors?: string[]; documentUid?: DocumentUid; hasMetadata?: true } = {},
) => {
  const data = { documentUid: "x" as DocumentUid, ancestors: [], createdAt: "now" };
  const attributes = { organizationId, documentId, ...data, ...more };
  return documentEntity.put({ ...mockedOrganization, documentId }, attributes).put;
};

/** A user of the mocked organization with a profile, as the table has it. */
export const mockedUser = (userId: string) => {
  const attributes = { organizationId, userId, createdAt: "now", updatedAt: "now" };
  return userEntity.put({ ...mockedOrganization, userId }, attributes).put;
};

const [createdAt, hash] = ["now", hashOf("t")];
const cursorSecret = Buffer.alloc(32).toString("base64url");

/** Credentials, and the items that a mocked table needs for them. */
export const mocked = {
  as: { apiKey: "w", authToken: "t" },
  hash,
  document: mockedDocument("d"),
  rows: [
    workspaceEntity.put({ workspace: "w" }, { apiKey: "w", name: "", createdAt, cursorSecret }).put,
    authTokenEntity.put(
      { workspace: "w", hash },
      { hash, name: "", prefix: "t", scopes: ["read", "write", "admin"], createdAt },
    ).put,
    organizationEntity.put(mockedOrganization, { organizationId, organizationUid: "x", revision: 0, createdAt }).put,
  ],
};

/** Calls a handler's source, so that a test can mock its AWS clients or intercept its commands. */
export async function callSource(
  handler: Handler,
  endpoint: Pick<Endpoint, "name">,
  data: object,
  as: Credentials = mocked.as,
): Promise<number> {
  const event = eventOf(endpoint as Endpoint, { as, data });
  return (await handler(event as never, contextOf(endpoint.name) as never)).statusCode;
}

/** Calls generate_token, by default for user `u`. Returns the reply. */
export async function giveToken(as: Credentials, { userId = "u", userProperties, resources = [] }: TokenOptions = {}) {
  const properties = { name: "Ada", email: "ada@example.com", ...userProperties };
  return call(tokenGenerate, { as, data: { userId, userProperties: properties, permissions: { resources } } });
}

interface TokenOptions {
  userId?: string;
  userProperties?: object;
  resources?: object[];
}

/** Keys of the mocked organization, as `calls` of the mocked clients prints them. */
export const keyText = {
  user: (id: string) => textOf(userEntity.key({ ...mockedOrganization, userId: id })),
  document: (id: string) => textOf(documentEntity.key({ ...mockedOrganization, documentId: id })),
  beingErased: (id: string) => textOf(BeingErased.keyOf(mockedOrganization, id)),
  folder: (id: string) => textOf(folderEntity.key({ ...mockedOrganization, folderId: id })),
};

const textOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`;
