import { expect, it } from "vitest";
import { endpoints } from "../../infra/deployables.ts";
import { fieldsOf } from "../support/contract/schema-fields.ts";

it("request-fields.txt has every field of every write: else check what a new field stores, then run `npm run update`", async () => {
  const lines = endpoints
    .filter(({ isWrite }) => isWrite)
    .flatMap(({ path, data }) => fieldsOf(data).map((field) => `${path} ${field.path.join(".")}\n`));
  await expect(lines.sort().join("")).toMatchFileSnapshot("request-fields.txt");
});
