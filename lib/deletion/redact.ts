// Removes a user from content of others. The user's own replies and reactions in it are removed. Every other object
// that describes the user keeps only a placeholder id. Text that people wrote stays unchanged.

/** The placeholder for the id of an erased user. */
export const erasedUserId = "erased-user";

/** Lists of bare user ids, by the name of their field. */
const idLists = /^(?:participants|.*userIds)$/i;

/** The value without the user. `name` is the name of its field. */
export function redacted(value: unknown, userId: string, name = ""): unknown {
  if (Array.isArray(value)) {
    const isIdList = idLists.test(name);
    return value.filter((each) => !isOrIsBy(each, userId, isIdList)).map((each) => redacted(each, userId, name));
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  if (fields.userId === userId) return { userId: erasedUserId };
  return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, redacted(inner, userId, key)]));
}

/** Whether an element of a list is the user, or was made by the user. */
function isOrIsBy(element: unknown, userId: string, isIdList: boolean): boolean {
  if (typeof element !== "object" || element === null) return isIdList && element === userId;
  const { userId: own, from } = element as { userId?: unknown; from?: { userId?: unknown } | null };
  return own === userId || from?.userId === userId;
}
