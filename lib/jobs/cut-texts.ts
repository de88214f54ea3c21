// Texts that are too long for an event (`WEBHOOKS.md`, `ACTIVITY.md`).
import { hash } from "node:crypto";
import { beginning } from "../beginning.ts";

/** Characters that are kept of a text: a name of 64 KB can have 400,000 as JSON. */
const charactersMax = 1_000;

/** The fields, each long text cut and marked. `cut`: the SHA-256 (hex) of each whole text that was cut, by its field. */
export function cutTexts(fields: object): object {
  const whole = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === "string" && field[1].length > charactersMax,
  );
  if (whole.length === 0) return fields;
  const texts = whole.map(([name, text]) => [name, `${beginning(text, charactersMax)}…`]);
  const hashes = whole.map(([name, text]) => [name, hash("sha256", text, "hex")]);
  return { ...fields, ...Object.fromEntries(texts), cut: Object.fromEntries(hashes) };
}
