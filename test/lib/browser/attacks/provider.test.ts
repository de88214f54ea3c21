// Calls of users in a workspace whose permission provider decides, and answers of the provider that must not count.
import { expect, it } from "vitest";
import { documentsDataAdd } from "../../../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../../../functions/documents/documents-add.ts";
import { organizationsAdd } from "../../../../functions/organizations/organizations-add.ts";
import { permissionsGet } from "../../../../functions/permissions/permissions-get.ts";
import { presenceGet } from "../../../../functions/presence/presence-get.ts";
import { permissionproviderconfigUpdate } from "../../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { type Credentials, must } from "../../../support/call.ts";
import { fakeDates, later } from "../../../support/fake-dates.ts";
import { listen } from "../../../support/net/listen.ts";
import { expectRefused } from "../../../support/refusal.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../../support/users.ts";

fakeDates();

interface Question {
  userId: string;
  resource: { id: string; type: string; organizationId: string };
}
type Answer = object | undefined;

interface World {
  as: Credentials;
  ann: string;
  bob: string;
  /** The ids in each request that the provider got. */
  asked: string[][];
}

/** `answerTo`: what the provider answers to a question, beside its names. Undefined: no entry. `more`: entries without question. */
async function newWorld(answerTo: (question: Question) => Answer, more: object[] = []): Promise<World> {
  const as = await newWorkspaceForUsers();
  const asked: string[][] = [];
  const port = await listen(async (request, response) => {
    const { requests } = JSON.parse((await request.toArray()).join("")).data as { requests: Question[] };
    asked.push(requests.map(({ resource }) => resource.id));
    const data = requests.flatMap((question) => {
      const { userId, resource } = question;
      const { id: resourceId, ...rest } = resource;
      const answer = answerTo(question);
      return answer ? [{ userId, resourceId, ...rest, ...answer }] : [];
    });
    response.end(JSON.stringify({ data: [...data, ...more], success: true, statusCode: 200 }));
  });
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "p" }] } });
  await must(documentsAdd, { as, data: { organizationId: "p", documents: [{ documentId: "d" }] } });
  const [ann, bob] = [await tokenOf(as, "ann"), await tokenOf(as, "bob")];
  const permissionProviderConfig = { permissionProviderUrl: `http://127.0.0.1:${port}/`, authToken: "secret" };
  await must(permissionproviderconfigUpdate, { as, data: { usePermissionProvider: true, permissionProviderConfig } });
  return { as, ann, bob, asked };
}

const open = (token: string, ...documentIds: string[]) => callAs(token, permissionsGet, { documentIds });
const read = (token: string, documentId = "d", more = {}) => callAs(token, presenceGet, { documentId, ...more });
const write = (token: string) =>
  callAs(token, documentsDataAdd, { documentId: "d", location: { id: "1" }, reactions: [{ reactionId: "x" }] });

const openFirst = /^Open the document first/;
const editor = { hasAccess: true, accessRole: "editor" };

it.each([
  ["has no access", { hasAccess: false, accessRole: "editor" }],
  ["had access until now", { ...editor, expiresAt: 1 }],
])("a stored answer counts as refusal: %s", async (_, answer) => {
  const { ann } = await newWorld(() => answer);
  await open(ann, "d");
  expectRefused(await read(ann), "PERMISSION_DENIED", /no access/);
});

it.each([
  ["none", undefined],
  ["of another role", { hasAccess: true, accessRole: "owner" }],
  ["as a text", { hasAccess: "true", accessRole: "editor" }],
  ["with an end in another unit", { ...editor, expiresAt: 1e15 }],
  ["about another document", { ...editor, resourceId: "hidden" }],
  ["about another user", { ...editor, userId: "bob" }],
  ["about another organization", { ...editor, organizationId: "p" }],
  ["about a folder", { ...editor, type: "folder" }],
])("an answer does not count: %s", async (_, answer) => {
  const { ann, bob } = await newWorld(() => answer);
  await open(ann, "d");
  expectRefused(await read(ann), "FAILED_PRECONDITION", openFirst);
  expectRefused(await read(ann, "hidden"), "FAILED_PRECONDITION", openFirst);
  expectRefused(await read(bob), "FAILED_PRECONDITION", openFirst);
});

it("answers without a question are not kept", async () => {
  const names = { type: "document", organizationId: "o", ...editor };
  const more = [
    { userId: "ann", resourceId: "hidden", ...names },
    { userId: "bob", resourceId: "d", ...names },
  ];
  const { ann, bob } = await newWorld(() => ({ hasAccess: true, accessRole: "viewer" }), more);
  await open(ann, "d");
  expect((await read(ann)).status).toBe(200);
  expectRefused(await write(ann), "PERMISSION_DENIED", /no access/);
  expectRefused(await read(ann, "hidden"), "FAILED_PRECONDITION", openFirst);
  expectRefused(await read(bob), "FAILED_PRECONDITION", openFirst);
});

it("a document needs its own answer, in its own organization, of the last minute", async () => {
  const { ann } = await newWorld(() => editor);
  await open(ann, "d");
  expect((await write(ann)).status).toBe(200);
  expectRefused(await read(ann, "hidden"), "FAILED_PRECONDITION", openFirst);
  expectRefused(await read(ann, "d", { organizationId: "p" }), "FAILED_PRECONDITION", openFirst);
  later(60);
  expectRefused(await write(ann), "FAILED_PRECONDITION", openFirst);
});

it("a grant of the service does not count", async () => {
  const { ann } = await newWorld(() => ({ hasAccess: false }));
  await open(ann, "d");
  expectRefused(await read(ann), "PERMISSION_DENIED", /no access/);
});

it.each([
  ["denies", "permission_denied", () => ({ hasAccess: false })],
  ["does not answer", "something_went_wrong", () => undefined],
  [
    "does not answer about documents",
    "something_went_wrong",
    ({ resource }: Question) => (resource.type === "document" ? undefined : { hasAccess: false }),
  ],
  [
    "allows what is missing",
    "permission_denied",
    ({ resource }: Question) => ({ ...editor, hasAccess: !["hidden", "d", "p"].includes(resource.id) }),
  ],
])("does not tell what exists to a user, if it %s", async (_, errorCode, answerTo) => {
  const { ann, asked } = await newWorld(answerTo);
  const seen = async (documentId: string, more = {}) => {
    asked.length = 0;
    const { data } = await callAs(ann, permissionsGet, { documentIds: [documentId], ...more });
    const { documents, organization } = data.ann;
    const later = await read(ann, documentId, more);
    const [own] = Object.values(organization) as object[];
    return { document: documents[documentId], own, later: later.body, requests: asked.map((ids) => ids.length) };
  };
  const missing = await seen("missing");
  expect(missing.document).toEqual({ error: expect.any(String), errorCode });
  expect(await seen("hidden")).toEqual(missing);
  const organizations = [await seen("d", { organizationId: "missing" }), await seen("d", { organizationId: "p" })];
  expect(organizations[0]).toEqual(organizations[1]);
  expect(organizations[0]?.requests).toEqual(missing.requests);
});
