// Names of people in messages. Content has a name, or only an id: then the user's profile has the name.
import { erasedUserId } from "../deletion/redact.ts";
import type { Person } from "../schema/person.ts";
import * as User from "../store/access/user.ts";
import type { OrganizationRef } from "../store/refs.ts";

/** Empty for undefined and for an erased user. */
export type NameOf = (person: Person | undefined) => string;

/** Reads the profiles of those of these people who have no name. */
export async function namesOf(ref: OrganizationRef, people: readonly (Person | undefined)[]): Promise<NameOf> {
  const nameless = people.flatMap((each) => (each && !each.name && each.userId !== erasedUserId ? [each.userId] : []));
  const ids = [...new Set(nameless)];
  const users = ids.length > 0 ? await User.getMany(ref, ids) : [];
  const names = new Map(ids.map((userId, index) => [userId, users[index]?.name || userId] as const));
  return (person) => (person && (person.name || names.get(person.userId))) ?? "";
}
