import { expect, test } from "vitest";
import { deployables } from "../../infra/deployables.ts";

test("grants.txt has the grants of every function: else look at the change, then run `npm run check -- -u`", async () => {
  const lines = deployables.map((each) => {
    const what = each.kind === "endpoint" ? each.path : `(worker) ${each.name}`;
    return `${what} → ${each.grants.join(", ") || "nothing"}\n`;
  });
  await expect(lines.sort().join("")).toMatchFileSnapshot("grants.txt");
});
