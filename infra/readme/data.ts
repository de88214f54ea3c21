// The data dictionary: a row for each entity. The entity itself builds the keys.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { entities } from "../../lib/store/entities.ts";
import { table } from "./table.ts";

const folder = fileURLToPath(new URL("../../lib/store", import.meta.url));

/** Each field of a shape in `lib/store` as a placeholder in braces: keys are built from some of them. */
const placeholders = Object.fromEntries(
  globSync("**/*.ts", { cwd: folder })
    .flatMap((file) => readFileSync(`${folder}/${file}`, "utf8").match(/\b\w+(?=: (?!true))/g) ?? [])
    .map((name) => [name, `{${name}}`]),
);

/** Removes the zeros that pad numbers in keys: they would stand before a placeholder. */
const unpadded = (key: string) => key.replace(/0+(?=\{)/g, "");

export function dataTable(): string {
  const rows = entities.map(({ name, about, keyOf }) => {
    const { pk, sk } = keyOf(placeholders);
    if (`${pk}${sk}`.includes("undefined"))
      throw new Error(`No shape in lib/store has each field of the key of ${name}.`);
    return [`\`${name}\``, about, `\`${pk}\` \`${unpadded(sk)}\``];
  });
  return table(["Entity", "What it is", "Partition key, sort key"], rows);
}
