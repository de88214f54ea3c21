// The name that no field may have. `__proto__` is no ordinary property in JavaScript: libraries drop it silently when
// they copy an object, or set the copy's prototype (DECISIONS.md#reserved-names).
import type { Issue } from "../errors.ts";

export const reservedName = "__proto__";
const message = `The name ${reservedName} is reserved. Use another name.`;

/** Most issues to list. A body has room for a million. */
const listedMax = 100;

/** An issue for each field with the reserved name, at any depth. */
export function reservedNameIssues(value: unknown, at: readonly string[] = [], issues: Issue[] = []): Issue[] {
  if (typeof value !== "object" || value === null) return issues;
  for (const name in value) {
    if (issues.length === listedMax) break;
    const entry = (value as Record<string, unknown>)[name];
    if (name === reservedName) issues.push({ code: "custom", path: [...at, name], message });
    else if (typeof entry === "object") reservedNameIssues(entry, [...at, name], issues);
  }
  return issues;
}
