import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { type Item, keyName } from "../../../lib/dynamodb/key.ts";
import { migrated } from "../../../lib/format/migrated.ts";
import { itemMigrations } from "../../../lib/format/registry.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Preference from "../../../lib/store/preference.ts";
import { newDocumentUid } from "../../../lib/store/refs.ts";
import * as User from "../../../lib/store/user.ts";
import { inFormatThree } from "../../support/format-one.ts";
import { allItems } from "../../support/scan.ts";

const sorted = (items: readonly Item[]) => items.toSorted((one, other) => (keyName(one) < keyName(other) ? -1 : 1));

it("makes the lists of format 4 from preferences of format 3, as a call writes them", async () => {
  const organization = { workspace: randomUUID(), organizationId: "o#1" };
  const ref = { ...organization, userId: "u#1" };
  await commit([User.change(ref, { profile: {} }, "new")]);
  await commit(User.removal(organization, (await User.get(ref)) as User.User));
  await commit([User.change(ref, { profile: {} }, "new")]);
  const user = (await User.get(ref)) as User.User;
  const documentUids = [newDocumentUid(), newDocumentUid(), newDocumentUid()] as const;
  await Preference.setOnOrganization(organization, [user], { email: "NONE", slack: "ALL" });
  await Preference.setOnDocuments(organization, [user], [documentUids[0]], { email: "ALL", slack: "ALL" });
  await Preference.setOnDocuments(organization, [user], [documentUids[1]], { inbox: "ALL", email: "MINE" });
  await Preference.setOnDocuments(organization, [user], [documentUids[2]], { email: "ALL" });
  const present = (await allItems()).filter(({ pk }) => pk.includes(organization.workspace));
  const made = inFormatThree(present).flatMap((item) => migrated(item, itemMigrations) ?? [item]);
  expect(sorted(made)).toEqual(sorted(present));
  expect(present.filter(({ entity }) => String(entity).endsWith("watcher"))).toHaveLength(4);
  for (const item of present) expect(migrated(item, itemMigrations)).toBeUndefined();
});

it("takes the word of a level that a release of format 3 set later", () => {
  const item = { pk: "W#w#X#x", sk: "PREF#u", entity: "preference", userId: "u", generation: 0, emailWatched: true };
  const { emailWatched: _, ...rest } = item;
  expect(migrated({ ...item, email: "NONE" }, itemMigrations)).toEqual([{ ...rest, email: "NONE" }]);
});
