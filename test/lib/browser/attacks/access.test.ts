// Calls without the access that they need.
import { beforeAll, expect, it } from "vitest";
import { type Attacked, newAttacked } from "../../../support/attacked.ts";
import { expectRefused } from "../../../support/refusal.ts";
import { byName, dataOf, forUsers, onDocuments, requestsOn } from "../../../support/user-requests.ts";
import { callAs, tokenOf } from "../../../support/users.ts";

let attacked: Attacked;
beforeAll(async () => {
  attacked = await newAttacked();
});

const documentId = "d";

/** Expects that the call is refused, and changes nothing. */
async function expectNoAccess(token: string, name: string, data: object, headers = {}): Promise<void> {
  const before = await dataOf(attacked.as);
  expectRefused(await callAs(token, byName(name), data, headers), "PERMISSION_DENIED", /no access/);
  expect(await dataOf(attacked.as)).toEqual(before);
}

it.each(forUsers.filter(({ users }) => users === "edit"))("a viewer is refused: $name", async ({ name }) => {
  const token = await tokenOf(attacked.as, `viewer of ${name}`, "viewer");
  await expectNoAccess(token, name, requestsOn(documentId)[name] as object);
  await expectNoAccess(token, name, requestsOn(documentId)[name] as object, { "idempotency-key": "k" });
});

it.each(onDocuments)("an editor is refused in another document and organization: $name", async ({ name }) => {
  const token = await tokenOf(attacked.as, `editor of ${name}`);
  await expectNoAccess(token, name, requestsOn("hidden")[name] as object);
  await expectNoAccess(token, name, { ...requestsOn(documentId)[name], organizationId: "p" });
  if ("documentIds" in (requestsOn(documentId)[name] as object))
    await expectNoAccess(token, name, { ...requestsOn(documentId)[name], documentIds: [documentId, "hidden"] });
});

it.each(onDocuments)("a list of documents gives no access to another: $name", async ({ name }) => {
  const token = await tokenOf(attacked.as, `lister of ${name}`);
  const more = { documentIds: [documentId], documents: [{ documentId }], folderId: "f", organizationIds: ["p"] };
  const before = await dataOf(attacked.as);
  const reply = await callAs(token, byName(name), { ...more, ...requestsOn("hidden")[name] });
  expect(["PERMISSION_DENIED", "INVALID_ARGUMENT"]).toContain(reply.error?.status);
  expect(await dataOf(attacked.as)).toEqual(before);
});

it.each(forUsers.filter(({ name }) => name.startsWith("notifications-")))(
  "a user who is not in the organization is refused: $name",
  async ({ name }) => {
    const token = await tokenOf(attacked.as, `stranger to ${name}`);
    const own = name.includes("config") && { documentIds: [], getOrganizationConfig: true };
    await expectNoAccess(token, name, { ...requestsOn(documentId)[name], ...own, organizationId: "p" });
    await expectNoAccess(token, name, { ...requestsOn(documentId)[name], ...own, organizationId: "missing" });
  },
);
