// Names of permissions, as short as a report needs them: the action, with what else tells it from others of the role.
import type { Need, Statement } from "./policy.ts";

const purposeKey = "kms:EncryptionContext:purpose";

/** The queue of a message, or the index of a query. */
function placeOf(action: string, resource: string): string | undefined {
  if (action === "sqs:SendMessage") return resource.split(":").at(-1);
  return /\/index\/(.+)$/.exec(resource)?.[1];
}

const joined = (...parts: (string | undefined)[]) => parts.filter((each) => each !== undefined).join(" ");

/** The name of what a request needs: that of the permission, without the partitions that it is limited to. */
export function labelOf({ action, resource, context }: Need): string {
  return joined(action, placeOf(action, resource), context?.[purposeKey]?.[0]);
}

/** The name of the permission that a statement gives. */
export function nameOf({ Action, Resource, Condition = {} }: Statement): string {
  const values = Object.values(Condition).flatMap((keys) => Object.values(keys).flat());
  return joined(Action, placeOf(Action, String(Resource)), ...values);
}

export const namesOf = (role: readonly Statement[]) => role.map(nameOf);

/** The grants of the role of which nothing was used, by the names of their permissions. */
export function unusedGrants(role: readonly Statement[], used: ReadonlySet<string>): string[] {
  const grants = Map.groupBy(role, ({ together, Resource, Condition }) =>
    JSON.stringify([together, Resource, Condition]),
  );
  const names = [...grants.values()].map(namesOf);
  return names.filter((each) => !each.some((name) => used.has(name))).map((each) => each.join(", "));
}

/** The role without one of its permissions. */
export function without(role: readonly Statement[], name: string): Statement[] {
  return role.filter((each) => nameOf(each) !== name);
}
