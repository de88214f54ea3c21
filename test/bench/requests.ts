// A typical request for each endpoint: the `data` of its n-th call. A call can need what an earlier one in the list
// added.
import type { Endpoint } from "../../lib/http/endpoint.ts";

const organizationId = "acme";
const editor = { accessRole: "editor" as const };

/** In the order of the calls. Endpoints that are missing here are called with their examples. */
export const requests: Record<string, (n: number) => object> = {
  "organizations-add": (n) => ({ organizations: [{ organizationId: n === 0 ? organizationId : `acme-${n}` }] }),
  "folders-add": (n) => ({ organizationId, folders: [{ folderId: `f${n}`, folderName: "Plans" }] }),
  "documents-add": (n) => ({
    organizationId,
    folderId: "f0",
    documents: [{ documentId: `d${n}`, documentName: "Q3" }],
  }),
  "users-add": (n) => ({
    organizationId,
    users: [{ userId: `u${n}`, name: "Ada", email: "a@example.com", ...editor }],
  }),
  "usergroups-add": (n) => ({ organizationId, organizationUserGroups: [{ organizationUserGroupId: `g${n}` }] }),
  "usergroup-users-add": () => ({ organizationId, organizationUserGroupId: "g0", userIds: ["u0", "u1"] }),
  "permissions-add": () => ({
    user: { userId: "u0" },
    permissions: { resources: [{ type: "document", id: "d0", organizationId, ...editor }] },
  }),
  "permissions-get": () => ({ organizationId, userIds: ["u0"], folderIds: ["f0"], documentIds: ["d0", "d1"] }),
  "users-update": () => ({ organizationId, users: [{ userId: "u0", name: "Ada L.", accessRole: "viewer" }] }),
  "token-generate": () => ({
    userId: "u0",
    userProperties: { name: "Ada", email: "a@example.com" },
    permissions: { resources: [{ type: "organization", id: organizationId, ...editor }] },
  }),
  "users-get": () => ({ organizationId, userIds: ["u0", "u1"] }),
  "folders-get": () => ({ organizationId }),
  "documents-get": () => ({ organizationId, documentIds: ["d0", "d1"] }),
  "jwks-get": () => ({}),
  "jwks-records-get": () => ({}),
  "permissionproviderconfig-update": () => ({ permissionProviderConfig: { authToken: "secret" } }),
  "permissions-remove": (n) => ({
    user: { userId: `u${n}` },
    permissions: { resources: [{ type: "document", id: "d0", organizationId }] },
  }),
  "agents-extract": (n) => ({ fileBase64: btoa(`Task\nCheck ${n}.\n`), mimeType: "text/csv" }),
  "usergroup-users-delete": () => ({ organizationId, organizationUserGroupId: "g0", userIds: ["u1"] }),
  "users-delete": (n) => ({ organizationId, userIds: [`u${n}`] }),
  "documents-delete": (n) => ({ organizationId, documentIds: [`d${n}`] }),
};

export function inOrder(endpoints: readonly Endpoint[]): Endpoint[] {
  const order = Object.keys(requests);
  const place = ({ name }: Endpoint) => (order.includes(name) ? order.indexOf(name) : order.length);
  return endpoints.filter(({ group }) => group !== "fallback").toSorted((a, b) => place(a) - place(b));
}
