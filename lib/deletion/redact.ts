// Removes users from content of others. A user's own replies and reactions in it are removed. Every other object
// that describes the user keeps only a placeholder id. Text that people wrote stays unchanged.

/** The placeholder for the id of an erased user. */
export const erasedUserId = "erased-user";

/** Lists of bare user ids, by the name of their field. */
const idLists = /^(?:participants|.*userIds)$/i;

/** The value without these users. `name` is the name of its field. */
export function redacted(value: unknown, users: ReadonlySet<string>, name = ""): unknown {
  if (Array.isArray(value)) {
    const isIdList = idLists.test(name);
    return value.filter((each) => !isOrIsBy(each, users, isIdList)).map((each) => redacted(each, users, name));
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  if (isAmong(users, fields.userId)) return { userId: erasedUserId };
  return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, redacted(inner, users, key)]));
}

/** Whether an element of a list is one of the users, or was made by one. */
function isOrIsBy(element: unknown, users: ReadonlySet<string>, isIdList: boolean): boolean {
  if (typeof element !== "object" || element === null) return isIdList && isAmong(users, element);
  const { userId: own, from } = element as { userId?: unknown; from?: { userId?: unknown } | null };
  return isAmong(users, own) || isAmong(users, from?.userId);
}

const isAmong = (users: ReadonlySet<string>, id: unknown) => typeof id === "string" && users.has(id);
