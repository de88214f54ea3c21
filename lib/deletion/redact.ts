// Removes users from content of other people. The users' own replies and reactions in it are removed. Every other
// object that describes a user keeps only a placeholder id. Text that people wrote stays unchanged.
import { erasedUserId } from "../schema/fields.ts";

/** Fields that hold the id of a user, or a list of them. All other fields with an id are about other things. */
export const userFields = /^(?:from|assignedTo|mentions|.*userIds?)$/i;

/** Fields that can hold the id as a number, in a client's own fields. In `from` and `mentions`, a number is none. */
const numericFields = /userIds?$/i;

/** Lists that lose the id. In all others, the placeholder replaces it. */
const idLists = /^(?:participants|.*userIds)$/i;

/** Objects with a client's own fields. Such an object is about something else, also if it names a user. */
const ownObjects = /^(?:metadata|properties|changes|.*location|.*data)$/i;

/** The value without these users. `name` is the name of its field. */
export function redacted(value: unknown, users: ReadonlySet<string>, name = ""): unknown {
  if (typeof value === "string") return userFields.test(name) && users.has(value) ? erasedUserId : value;
  if (typeof value === "number") return numericFields.test(name) && isAmong(users, value) ? erasedUserId : value;
  if (Array.isArray(value)) {
    const isIdList = idLists.test(name);
    return value.filter((each) => !isOrIsBy(each, users, isIdList)).map((each) => redacted(each, users, name));
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  const isNamed = isAmong(users, fields.userId);
  if (isNamed && !ownObjects.test(name)) return { userId: erasedUserId };
  const kept = Object.entries(fields).filter(([key]) => !(isNamed && (key === "name" || key === "email")));
  return Object.fromEntries(kept.map(([key, inner]) => [key, redacted(inner, users, key)]));
}

/** Whether an element of a list is one of the users, or was made by one. */
function isOrIsBy(element: unknown, users: ReadonlySet<string>, isIdList: boolean): boolean {
  if (typeof element !== "object" || element === null) return isIdList && isAmong(users, element);
  const { userId: own, from } = element as { userId?: unknown; from?: { userId?: unknown } | null };
  return isAmong(users, own) || isAmong(users, from?.userId);
}

const isAmong = (users: ReadonlySet<string>, id: unknown) =>
  (typeof id === "string" || typeof id === "number") && users.has(String(id));
