// Removes users from content of other people. The users' own replies and reactions in it are removed, and their ids in a
// client's own fields. Every other object that describes a user keeps only a placeholder id. Text that people wrote stays
// unchanged.
import { erasedUserId } from "../schema/fields.ts";

/** Fields that hold the id of a user, or a list of them. All other fields with an id are about other things. */
export const userFields = /^(?:from|assignedTo|mentions|.*userIds?)$/i;

/** Of a client's own fields, those that hold ids of users. There, `from` and the others mean what the client wants. */
const ownUserFields = /userIds?$/i;

/** Outside a client's own fields: lists that lose the id. In all others, the placeholder replaces it. */
const idLists = /^(?:participants|.*userIds)$/i;

/** Objects with a client's own fields, at any depth. Such an object is about something else, also if it names a user. */
const ownObjects = /^(?:metadata|properties|changes|.*location|.*data)$/i;

/** Of such an object, the service itself reads the people, two at most. Their ids become the placeholder. */
const templateData = "displayHeadlineMessageTemplateData";

/** The value without these users. `name` is the name of its field. */
export const redacted = (value: unknown, users: ReadonlySet<string>, name = ""): unknown =>
  without(value, users, name, false);

/**
 * `isOwn`: the value is within a client's own fields. There, ids are removed: with placeholders, which are longer, an
 * item could be too large to be stored. Undefined: nothing is left.
 */
function without(value: unknown, users: ReadonlySet<string>, name: string, isOwn: boolean): unknown {
  const isOfUsers = isOwn || typeof value === "number" ? ownUserFields.test(name) : userFields.test(name);
  if (typeof value === "string" || typeof value === "number") {
    if (!isOfUsers || !isAmong(users, value)) return value;
    return isOwn ? undefined : erasedUserId;
  }
  if (Array.isArray(value)) {
    const isIdList = idLists.test(name) && !isOwn;
    const left = value.filter(
      (each) => isOwn || !(isObject(each) ? isBy(each, users) : isIdList && isAmong(users, each)),
    );
    return left.map((each) => without(each, users, name, isOwn)).filter((each) => each !== undefined);
  }
  if (!isObject(value)) return value;
  const within = isOwn || ownObjects.test(name);
  const hasPeople = !isOwn && name === templateData;
  /** All that is under `userId` is about users. */
  const isUnder = ownUserFields.test(name);
  const isNamed = namesAny(value.userId, users);
  if (isNamed && !within) return { userId: erasedUserId };
  const kept = Object.entries(value).filter(
    ([key]) => !(isNamed && (key === "name" || key === "email")) && !(isUnder && users.has(key)),
  );
  const left = kept.map(([key, inner]) => {
    if (hasPeople && key === "recipientUser" && isAmong(users, inner)) return [key, erasedUserId] as const;
    const isInnerOwn = within && !(hasPeople && isObject(inner));
    return [key, without(inner, users, isUnder ? name : key, isInnerOwn)] as const;
  });
  return Object.fromEntries(left.filter(([, inner]) => inner !== undefined));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Whether an element of a list describes one of the users, or was made by one. */
const isBy = ({ userId, from }: Record<string, unknown>, users: ReadonlySet<string>) =>
  isAmong(users, userId) || (isObject(from) && isAmong(users, from.userId));

const isAmong = (users: ReadonlySet<string>, id: unknown) =>
  (typeof id === "string" || typeof id === "number") && users.has(String(id));

/** Whether what is under `userId` names one of the users, also as a key. */
function namesAny(under: unknown, users: ReadonlySet<string>): boolean {
  if (!isObject(under)) return isAmong(users, under);
  const all = Array.isArray(under) ? under : Object.entries(under).flat();
  return all.some((each) => namesAny(each, users));
}
