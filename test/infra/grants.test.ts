import { expect, test } from "vitest";
import { deployables } from "../../infra/deployables.ts";

test("who may do what, as a table for reviewers: a changed grant shows in the diff", async () => {
  const lines = deployables.map((each) => {
    const what = each.kind === "endpoint" ? each.path : `(worker) ${each.name}`;
    return `${what} → ${each.grants.join(", ") || "nothing"}\n`;
  });
  await expect(lines.sort().join("")).toMatchFileSnapshot("grants.txt");
});
