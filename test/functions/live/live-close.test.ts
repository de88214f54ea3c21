import { expect, it } from "vitest";
import { liveClose } from "../../../functions/live/live-close.ts";
import { liveOpen } from "../../../functions/live/live-open.ts";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import { must } from "../../support/call.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { newListener } from "../../support/live.ts";
import { callAs, tokenOf } from "../../support/users.ts";
import { organizationId } from "../../support/workspace.ts";

// In the middle of a window: a message goes to one channel.
fakeDates(Date.parse("2026-01-31T12:01:00.000Z"));

const on = { documentId: "d" };

it("ends the presence of the user, tells the others, and leaves their presence", async () => {
  const { as, taken, token } = await newListener();
  const bob = await tokenOf(as, "bob");
  await callAs(bob, liveOpen, on);
  expect((await callAs(token, liveClose, on)).data).toEqual({ success: true });
  const { users } = await must(presenceGet, { as, data: { organizationId, ...on } });
  expect(users).toMatchObject([{ userId: "bob" }]);
  expect(taken.flatMap(({ events }) => events)).toEqual([
    { v: 1, seq: 1, kind: "presence", ids: ["bob"] },
    { v: 1, seq: 2, kind: "presence", ids: ["ann"] },
  ]);
});

it("says nothing about other documents, and refuses the name of another user", async () => {
  const { token } = await newListener();
  const close = async (documentId: string) => (await callAs(token, liveClose, { documentId })).body;
  expect(await close("hidden")).toEqual(await close("missing"));
  const other = await callAs(token, liveClose, { ...on, userId: "bob" });
  expect(other.error?.status).toBe("PERMISSION_DENIED");
});
