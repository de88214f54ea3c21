// One valid request for each endpoint, so that the common tests need to know nothing else of it.

import { endpoints } from "../../infra/deployables.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, call, must, newWorkspace, type RequestOptions } from "../support/call.ts";

const organizationId = "org";
const context = { access: { team: ["red", 7] } };
const document = { type: "document", id: "doc", organizationId };

export const providerToken = "provider-secret-c0ffee";

/** What `data` holds in a request that succeeds in a furnished workspace, with each optional field that can be there. */
export const requests: Record<string, Record<string, unknown>> = {
  "authtokens-get": {},
  "documents-add": { organizationId, folderId: "folder", documents: [{ documentId: "d", documentName: "D" }] },
  "documents-delete": { organizationId, documentIds: ["gone"] },
  "documents-get": { organizationId, documentIds: ["doc"], pageSize: 10 },
  "folders-add": {
    organizationId,
    createOrganization: false,
    folders: [{ folderId: "f", folderName: "F", parentFolderId: "folder", accessType: "public" }],
  },
  "folders-get": { organizationId, parentFolderId: "folder", pageSize: 10 },
  "organizations-add": { organizations: [{ organizationId, organizationName: "Organization" }] },
  "permissionproviderconfig-update": {
    usePermissionProvider: false,
    permissionProviderConfig: { permissionProviderUrl: "https://example.com/permissions", authToken: providerToken },
  },
  "permissions-add": { user: { userId: "user" }, permissions: { resources: [{ ...document, context }] } },
  "permissions-get": { organizationId, userIds: ["user"], folderIds: ["folder"], documentIds: ["doc"] },
  "permissions-remove": { user: { userId: "user" }, permissions: { resources: [document] } },
  "token-generate": {
    userId: "user",
    userProperties: { name: "Ada", email: "ada@example.com", isAdmin: false },
    permissions: { resources: [{ ...document, accessRole: "viewer", expiresAt: 2_000_000_000, context }] },
  },
  "usergroup-users-add": { organizationId, organizationUserGroupId: "group", userIds: ["user"] },
  "usergroup-users-delete": { organizationId, organizationUserGroupId: "group", userIds: ["nobody"] },
  "usergroups-add": { organizationId, organizationUserGroups: [{ organizationUserGroupId: "g" }] },
  "users-add": { organizationId, documentId: "doc", users: [{ userId: "new", name: "N", context }] },
  "users-delete": { organizationId, userIds: ["nobody"] },
  "users-get": { organizationId, userIds: ["user"], pageSize: 10 },
  "users-update": { organizationId, users: [{ userId: "user", name: "Ada" }] },
};

/** The endpoints that take credentials and a body: all but the key set and the fallback. */
export const posts = endpoints.filter(({ credentials }) => credentials === "workspace");

export const dataOf = ({ name }: Pick<Endpoint, "name">) => structuredClone(requests[name] ?? {});

export function named(name: string): Endpoint {
  const found = endpoints.find((each) => each.name === name);
  if (!found) throw new Error(`There is no endpoint ${name}.`);
  return found;
}

/** A workspace that holds what the requests name. */
export async function furnishedWorkspace(): Promise<Credentials> {
  const as = await newWorkspace();
  const add = (name: string, data: object) => must(named(name), { as, data });
  await add("organizations-add", { organizations: [{ organizationId }] });
  await add("folders-add", { organizationId, folders: [{ folderId: "folder" }] });
  await add("documents-add", { organizationId, documents: [{ documentId: "doc" }] });
  await add("users-add", { organizationId, users: [{ userId: "user" }] });
  await add("usergroups-add", { organizationId, organizationUserGroups: [{ organizationUserGroupId: "group" }] });
  return as;
}

/** For each status that an endpoint declares, a request that is answered with it. */
export const failures: Record<string, Record<string, (as: Credentials) => Promise<RequestOptions> | RequestOptions>> = {
  ...Object.fromEntries(
    posts
      .filter(({ errors }) => errors.includes("NOT_FOUND"))
      .map((each) => [each.name, { NOT_FOUND: (as: Credentials) => ({ as, data: elsewhere(each) }) }]),
  ),
  "not-found": { NOT_FOUND: () => ({}) },
};
failures["folders-add"] = {
  ...failures["folders-add"],
  FAILED_PRECONDITION: async (as) => {
    await Setting.update(as.apiKey, "switches", { advancedQueries: false });
    return { as, data: dataOf(named("folders-add")) };
  },
};

/** The valid request, asked of an organization that does not exist. */
function elsewhere(endpoint: Endpoint): unknown {
  const text = JSON.stringify(dataOf(endpoint));
  return JSON.parse(text.replaceAll('"organizationId":"org"', '"organizationId":"missing"'));
}

export const callValid = (endpoint: Endpoint, options: RequestOptions) =>
  call(endpoint, { data: dataOf(endpoint), ...options });
