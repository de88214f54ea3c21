import { expect, it } from "vitest";
import { authtokensGet } from "../../../../functions/auth-tokens/authtokens-get.ts";
import { withToken } from "../../../../infra/console/server/keys.ts";
import { must, newWorkspace } from "../../../support/call.ts";
import { turns } from "../../../support/turns.ts";

it("the token of an operator without a key lasts until the work has ended", async () => {
  const as = await newWorkspace();
  const names = async () =>
    (await must(authtokensGet, { as })).authTokens.map(({ name }: { name: string }) => name).sort();
  let during: string[] = [];
  await withToken(as, async () => {
    await turns();
    during = await names();
  });
  expect(during).toEqual(["", "console"]);
  expect(await names()).toEqual([""]);
});
