// What the log says of a change of access: whose, where, what the user may do now, and with which token it was made.
import { afterEach, describe, expect, it, vi } from "vitest";
import { authtokensGet } from "../../../functions/auth-tokens/authtokens-get.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { usersUpdate } from "../../../functions/users/users-update.ts";
import { append, get, newLog, organizationId, recordsOf } from "../../support/activity-log.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";

const start = Date.now();
fakeDates(start);
afterEach(() => void vi.restoreAllMocks());

const user = { userId: "bob" };
const onAll = { type: "organization", id: organizationId };
const ended = { expiresAt: 1 };

async function changesOf(as: Credentials): Promise<object[]> {
  await append(as);
  const { activities } = await get(as, { order: "oldest", eventTypes: ["permission.update"] });
  return activities.map(({ changes }: { changes: Record<string, unknown> }) => [changes.before, changes.accessRole]);
}

/** Changes the access of `bob`, each time a moment later. */
function caller(as: Credentials) {
  const then = async (change: Promise<unknown>) => {
    await change;
    later(1);
  };
  const grant = (more: object, on: object = onAll) =>
    then(must(permissionsAdd, { as, data: { user, permissions: { resources: [{ ...on, ...more }] } } }));
  const remove = (on: object = onAll) =>
    then(must(permissionsRemove, { as, data: { user, permissions: { resources: [on] } } }));
  const update = (more: object, on: object = {}) =>
    then(must(usersUpdate, { as, data: { organizationId, ...on, users: [{ ...user, ...more }] } }));
  const add = (on: object) => then(must(usersAdd, { as, data: { organizationId, ...on, users: [user] } }));
  return { grant, remove, update, add };
}

describe("the former role", () => {
  it("is told of each change of a grant on the organization", async () => {
    const as = await newLog();
    const { grant, remove, update } = caller(as);
    await grant({ accessRole: "viewer" });
    await grant({ accessRole: "editor" });
    await update({ accessRole: "viewer" });
    await update(ended);
    await grant({ accessRole: "editor" });
    await remove();
    await remove();
    expect(await changesOf(as)).toEqual([
      [null, "viewer"],
      ["viewer", "editor"],
      ["editor", "viewer"],
      ["viewer", null],
      [null, "editor"],
      ["editor", null],
    ]);
  });

  it("is told where users/add or users/update changes a grant on a document or folder", async () => {
    const as = await newLog();
    await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId: "plan" }] } });
    const { grant, update, add } = caller(as);
    await add({});
    const onPlan = { documentId: "plan" };
    await add(onPlan);
    await update({ accessRole: "viewer" }, onPlan);
    await update({ name: "Bob" }, onPlan);
    // These calls do not read the grant that they replace.
    await grant({ accessRole: "editor" }, { type: "document", id: "plan", organizationId });
    expect(await changesOf(as)).toEqual([
      [null, "editor"],
      ["editor", "viewer"],
      [undefined, "editor"],
    ]);
  });

  it.each(["grant", "remove"] as const)("is that of a change between the read and the write of %s", async (change) => {
    const as = await newLog();
    const calls = caller(as);
    await calls.grant({ accessRole: "viewer" });
    let isChanged = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (!/^(?:Transact|Put|Update)/.test(name) || isChanged) return;
      isChanged = true;
      await calls.update({ accessRole: "editor" });
    });
    await calls[change]({ ...onAll, accessRole: "viewer" });
    expect(await changesOf(as)).toEqual([
      [null, "viewer"],
      ["viewer", "editor"],
      ["editor", change === "grant" ? "viewer" : null],
    ]);
  });
});

it("names the role after each change of access, and the token of the call", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  const as = await newLog();
  await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId: "plan" }] } });
  const user = { userId: "bob" };
  const onPlan = { type: "document", id: "plan", organizationId };
  const grant = async (more: object) => {
    later(1);
    await must(permissionsAdd, { as, data: { user, permissions: { resources: [{ ...onPlan, ...more }] } } });
  };
  await grant({ accessRole: "viewer" });
  await grant({ accessRole: "editor", expiresAt: Math.floor(Date.now() / 1_000) + 3_600 });
  await grant({ accessRole: "editor", expiresAt: 1 });
  later(1);
  await must(usersAdd, { as, data: { organizationId, users: [{ userId: "bob", name: "Bob", accessRole: "viewer" }] } });
  later(1);
  await must(usersAdd, {
    as,
    data: { organizationId, documentId: "plan", users: [{ ...user, accessRole: "editor" }] },
  });
  later(1);
  await must(permissionsRemove, { as, data: { user, permissions: { resources: [onPlan] } } });
  later(1);
  await must(usersDelete, { as, data: { organizationId, userIds: ["bob"] } });
  await append(as);
  const { activities } = await get(as, { order: "oldest", eventTypes: ["permission.update"] });
  const roles = activities.map(({ changes }: { changes: { accessRole: unknown } }) => changes.accessRole);
  expect(roles).toEqual(["viewer", "editor", null, "editor", null]);
  const { authTokens } = await must(authtokensGet, { as, data: {} });
  const ids = authTokens.map(({ id }: { id: string }) => id);
  for (const { authTokenId } of activities) expect(ids).toContain(authTokenId);
  // The chain covers it.
  const records = (await recordsOf(as)).filter(({ eventType }) => eventType === "permission.update");
  expect(records.map(({ authTokenId }) => authTokenId)).toEqual(
    activities.map((each: { authTokenId: string }) => each.authTokenId),
  );
});
