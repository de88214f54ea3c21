// Whom a text mentions: "@Carol Silva", "@Carol" if nobody else has this first name, or "@carol-1" with the user id.
import type { PersonShown } from "../types.ts";

export function mentionsIn(text: string, users: readonly PersonShown[]): PersonShown[] {
  const firstNames = users.map(({ name }) => firstOf(name));
  const mentioned = users.filter(({ userId, name }) => {
    const first = firstOf(name);
    const isOnlyOne = firstNames.filter((each) => each === first).length === 1;
    return [userId, name, isOnlyOne ? first : undefined].some((word) => word && hasMention(text, word));
  });
  return mentioned.map(({ userId, name }) => ({ userId, ...(name && { name }) }));
}

const firstOf = (name: string | undefined) => name?.trim().toLowerCase().split(/\s/)[0];

/** Whether the word stands behind an @, and ends there: "@Carol" is not in "@Caroline". */
function hasMention(text: string, word: string): boolean {
  const [, ...afterAt] = text.toLowerCase().split("@");
  const wanted = word.trim().toLowerCase();
  return afterAt.some((rest) => rest.startsWith(wanted) && !/^[\p{L}\p{N}_-]/u.test(rest.slice(wanted.length)));
}
