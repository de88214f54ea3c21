// Takes a user out of what others made: their own replies and reactions in it go, whatever else is about them loses all
// but a stand-in for the id. What people wrote stays as they wrote it.

/** Stands where an erased user's id stood. */
export const erasedUserId = "erased-user";

/** Lists of bare user ids, by the name of their field. */
const idLists = /^(?:participants|.*userIds)$/i;

/** The value without the user; `name` is that of the field it is in. */
export function scrubbed(value: unknown, userId: string, name = ""): unknown {
  if (Array.isArray(value)) {
    const isIdList = idLists.test(name);
    return value.filter((each) => !isOf(each, userId, isIdList)).map((each) => scrubbed(each, userId, name));
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  if (fields.userId === userId) return { userId: erasedUserId };
  return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, scrubbed(inner, userId, key)]));
}

/** Whether an element of a list is the user, or by the user. */
function isOf(element: unknown, userId: string, isIdList: boolean): boolean {
  if (typeof element !== "object" || element === null) return isIdList && element === userId;
  const { userId: own, from } = element as { userId?: unknown; from?: { userId?: unknown } | null };
  return own === userId || from?.userId === userId;
}
