// What the log says of a change of access: whose, where, what the user may do now, and with which token it was made.
import { expect, it, vi } from "vitest";
import { authtokensGet } from "../../../functions/auth-tokens/authtokens-get.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { append, get, newLog, organizationId, recordsOf } from "../../support/activity-log.ts";
import { must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";

const start = Date.now();
fakeDates(start);

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
