// Further fields of a user, which only the client understands. They are stored apart from the user's item, because a
// fan-out reads the items of all users. They belong to one life of the user.
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { type OrganizationRef, organizationPartition, type UserLifeRef, userLifeSegments } from "../refs.ts";
import { generationOf, type User } from "./user.ts";

interface PropertiesItem {
  /** JSON: DynamoDB limits the precision of numbers. */
  properties: string;
}

export const userPropertiesEntity = entity<PropertiesItem>()({
  name: "user-properties",
  attributes: ["properties"],
  pk: (ref: UserLifeRef) => `${organizationPartition(ref)}#UX#${userLifeSegments(ref)}`,
  sk: () => "PROPERTIES",
});

/** The stored properties of the users who have properties, by user. */
export async function listOf(organization: OrganizationRef, users: readonly (User | undefined)[]) {
  const having = users.filter((user) => user?.hasProperties === true) as User[];
  const keys = having.map((user) => userPropertiesEntity.key(lifeOf(organization, user)));
  const found = await Table.getMany<PropertiesItem>(keys);
  const texts = having.flatMap(({ userId }, index) => {
    const text = found[index]?.properties;
    return text === undefined ? [] : [[userId, text] as const];
  });
  return new Map(texts);
}

/** The write that replaces the stored text. The condition fails when it has changed since it was read. */
export function replacement(
  organization: OrganizationRef,
  user: User,
  before: string | undefined,
  properties: string,
): Write {
  return userPropertiesEntity.put(lifeOf(organization, user), { properties }, { properties: before });
}

const lifeOf = (organization: OrganizationRef, user: User): UserLifeRef => ({
  ...organization,
  userId: user.userId,
  generation: generationOf(user),
});
