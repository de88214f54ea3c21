import { expect, test } from "vitest";
import { deployables } from "../../infra/deployables.ts";

test("the grants of all functions equal the reviewed table grants.txt", async () => {
  const lines = deployables.map((each) => {
    const what = each.kind === "endpoint" ? each.path : `(worker) ${each.name}`;
    return `${what} → ${each.grants.join(", ") || "nothing"}\n`;
  });
  await expect(lines.sort().join("")).toMatchFileSnapshot("grants.txt");
});
