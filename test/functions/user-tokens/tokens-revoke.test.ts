import { expect, it } from "vitest";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import { tokensRevoke } from "../../../functions/user-tokens/tokens-revoke.ts";
import { must } from "../../support/call.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../support/users.ts";

it("refuses the tokens of one user of one workspace, and later tokens work", async () => {
  const [as, other] = [await newWorkspaceForUsers(), await newWorkspaceForUsers()];
  const [ann, bob, otherAnn] = [await tokenOf(as, "ann"), await tokenOf(as, "bob"), await tokenOf(other, "ann")];
  for (const _ of [1, 2]) await must(tokensRevoke, { as, data: { userId: "ann" } });
  const later = await tokenOf(as, "ann");
  const statuses = [ann, bob, otherAnn, later].map((token) => callAs(token, presenceGet, { documentId: "d" }));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([401, 200, 200, 200]);
});
