// What belongs to one user: the idempotency keys, the page tokens and the limit of calls.
import { expect, it } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsDataGet } from "../../../functions/comments/documents-data-get.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { presenceAdd } from "../../../functions/presence/presence-add.ts";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import { call, must } from "../../support/call.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../support/users.ts";
import { onDocument, organizationId } from "../../support/workspace.ts";

fakeDates();

const on = { documentId: "d" };
const keyed = { "idempotency-key": "k" };

it("is an idempotency key, which is not that of another user or of a server", async () => {
  const as = await newWorkspaceForUsers();
  const [ann, bob] = [await tokenOf(as, "ann"), await tokenOf(as, "bob")];
  const replies = [
    await callAs(ann, presenceAdd, on, keyed),
    await callAs(bob, presenceAdd, on, keyed),
    await call(presenceAdd, { as, data: { organizationId, ...on, users: [{ userId: "ann" }] }, headers: keyed }),
    await callAs(ann, presenceAdd, on, keyed),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(replies.map(({ headers }) => headers["idempotent-replayed"])).toEqual([
    undefined,
    undefined,
    undefined,
    "true",
  ]);
});

it("is refused when a call is repeated after the access was removed", async () => {
  const as = await newWorkspaceForUsers();
  const ann = await tokenOf(as, "ann");
  expect((await callAs(ann, presenceAdd, on, keyed)).status).toBe(200);
  await must(permissionsRemove, {
    as,
    data: { user: { userId: "ann" }, permissions: { resources: [onDocument("d")] } },
  });
  expect((await callAs(ann, presenceAdd, on, keyed)).error?.status).toBe("PERMISSION_DENIED");
});

it("is a page token", async () => {
  const as = await newWorkspaceForUsers();
  const [ann, bob] = [await tokenOf(as, "ann"), await tokenOf(as, "bob")];
  const reactions = ["1", "2"].map((reactionId) => ({ reactionId }));
  await callAs(ann, documentsDataAdd, { ...on, location: { id: "1" }, reactions });
  const list = { ...on, kind: "reactions", pageSize: 1 };
  const { nextPageToken: pageToken } = (await callAs(ann, documentsDataGet, list)).data;
  expect((await callAs(ann, documentsDataGet, { ...list, pageToken })).data.items).toHaveLength(1);
  expect((await callAs(bob, documentsDataGet, { ...list, pageToken })).error?.status).toBe("INVALID_ARGUMENT");
});

it("is a limit of calls: who exceeds it is refused, and others are not", async () => {
  const as = await newWorkspaceForUsers();
  const [ann, bob] = [await tokenOf(as, "ann"), await tokenOf(as, "bob")];
  const statuses: number[] = [];
  for (let count = 0; count < 70; count++) statuses.push((await callAs(ann, presenceGet, on)).status);
  expect(statuses.slice(0, 50)).toEqual(Array(50).fill(200));
  expect(statuses.at(-1)).toBe(429);
  expect((await callAs(bob, presenceGet, on)).status).toBe(200);
  expect((await call(presenceGet, { as, data: { organizationId, ...on } })).status).toBe(200);
});
