// The name that no field may have. `__proto__` is no ordinary property in JavaScript: libraries drop it silently when
// they copy an object, or set the copy's prototype. Ids are values, so they can have this name.
import type { Issue } from "../errors.ts";

export const reservedName = "__proto__";
const message = `The name ${reservedName} is reserved. Use another name.`;

/** Most issues to list. A body has room for a million. */
const listedMax = 100;

/** An issue for each field with the reserved name, at any depth. A body has at most 64 levels. */
export function reservedNameIssues(value: unknown): Issue[] {
  const issues: Issue[] = [];
  addIssues(value, [], issues);
  return issues;
}

/** `path`: of the value. It is the same list for all values: a body has room for millions of objects. */
function addIssues(value: unknown, path: string[], issues: Issue[]): void {
  if (typeof value !== "object" || value === null) return;
  for (const name in value) {
    if (issues.length === listedMax) return;
    const entry = (value as Record<string, unknown>)[name];
    if (name !== reservedName && (typeof entry !== "object" || entry === null)) continue;
    path.push(name);
    if (name === reservedName) issues.push({ code: "custom", path: [...path], message });
    else addIssues(entry, path, issues);
    path.pop();
  }
}
