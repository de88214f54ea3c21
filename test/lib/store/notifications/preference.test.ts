import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { commit } from "../../../../lib/jobs/commit.ts";
import * as User from "../../../../lib/store/access/user.ts";
import * as Preference from "../../../../lib/store/notifications/preference.ts";
import { newDocumentUid } from "../../../../lib/store/refs.ts";

it("Preference.setOnOrganization sets no preference for a user who is deleted after the read", async () => {
  const organization = { workspace: randomUUID(), organizationId: "o" };
  const ref = { ...organization, userId: "u" };
  const read = async () => (await User.get(ref)) as User.User;
  await commit([User.change(ref, { profile: {} }, "new")]);
  const before = await read();
  await commit(User.removal(organization, before));
  const tombstone = await read();
  expect(await Preference.setOnOrganization(organization, [before], { inbox: "NONE" })).toEqual([false]);
  expect(await read()).toEqual(tombstone);
});

it("Preference.setOnDocuments keeps the preference of a user who was deleted and added again after the read", async () => {
  const organization = { workspace: randomUUID(), organizationId: "o" };
  const ref = { ...organization, userId: "u" };
  const documentUid = newDocumentUid();
  const read = async () => (await User.get(ref)) as User.User;
  const set = (user: User.User, preference: Preference.Preference) =>
    Preference.setOnDocuments(organization, [user], [documentUid], preference);
  await commit([User.change(ref, { profile: {} }, "new")]);
  const before = await read();
  await commit(User.removal(organization, before));
  await commit([User.change(ref, { profile: {} }, "new")]);
  await set(await read(), { inbox: "MINE" });
  await set(before, { inbox: "NONE" });
  const [stored] = await Preference.listOf(organization, "u", [documentUid]);
  expect(Preference.resolve(await read(), stored)).toMatchObject({ inbox: "MINE" });
});
