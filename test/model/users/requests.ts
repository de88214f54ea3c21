// Random calls of users, and the same calls by a server.
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { userLifetimeSecondsMax } from "../../../lib/schema/presence.ts";
import fc from "../../support/property.ts";
import { forUsers, requestsOn } from "../../support/user-requests.ts";
import { organizationId } from "../../support/workspace.ts";
import { type UserId, userIds } from "./world.ts";

type Fields = Record<string, unknown>;

export interface Request {
  name: string;
  userId: UserId;
  documentId: string;
  organizationId: string;
  /** Whom the fields name that say who acts. Undefined: they are absent. */
  actor: string | undefined;
  /** Names the items that others wrote, or new ones. */
  isKnown: boolean;
  key: string | undefined;
}

export const request: fc.Arbitrary<Request> = fc
  .record({
    name: fc.constantFrom(...forUsers.map(({ name }) => name)),
    userId: fc.constantFrom("ann", "ann", ...userIds),
    documentId: fc.constantFrom("d", "d", "d", "d", "hidden", "deep", "missing"),
    organizationId: fc.constantFrom(...Array<string>(12).fill(organizationId), "p", "missing"),
    who: fc.constantFrom("nobody", "nobody", "nobody", "own", "bob"),
    isKnown: fc.boolean(),
    key: fc.constantFrom(undefined, undefined, "k"),
  })
  .map(({ who, ...each }) => ({ ...each, actor: who === "own" ? each.userId : who === "bob" ? who : undefined }));

/** The data of the call. */
export function dataOf({ name, documentId, organizationId, actor, isKnown }: Request): Fields {
  const base = { organizationId, ...requestsOn(documentId)[name] } as Fields;
  const known = name === documentsDataAdd.name && isKnown ? { reactions: [{ reactionId: "r" }] } : {};
  const data = { ...base, ...known };
  return actor === undefined ? data : namedIn(name, data, actor);
}

/** The data that a server sends to store what the user's call stores. */
export function asServer(name: string, data: Fields, person: Fields): Fields {
  const named = namedIn(name, data, person);
  return name === documentsDataAdd.name ? withTimes(named, new Date().toISOString()) : named;
}

function withTimes(data: Fields, createdAt: string): Fields {
  const timed = (items: unknown) =>
    (items as Fields[]).map((item): Fields => ({ ...withTimes(item, createdAt), createdAt }));
  const lists = ["comments", "reactions"].filter((list) => list in data);
  return { ...data, ...Object.fromEntries(lists.map((list) => [list, timed(data[list])])) };
}

/** The data with the actor in each field that says who acts. */
export function namedIn(name: string, data: Fields, actor: string | Fields): Fields {
  const userId = typeof actor === "string" ? actor : (actor.userId as string);
  const person = typeof actor === "string" ? { userId } : actor;
  const authored = (items: unknown) =>
    (items as Fields[]).map((item): Fields => ({ ...authoredIn(item), from: person }));
  const authoredIn = ({ comments, ...item }: Fields) => (comments ? { ...item, comments: authored(comments) } : item);
  if (name === "live-open") return { ...data, user: person };
  if (name === "presence-add") return { lifetimeSeconds: userLifetimeSecondsMax, ...data, users: [person] };
  if (["presence-delete", "permissions-get", "notifications-config-set"].includes(name))
    return { ...data, userIds: [userId] };
  if (name === "live-close" || name.startsWith("notifications-")) return { ...data, userId };
  if (name.startsWith("crdt-") || name.endsWith("-get")) return data;
  const lists = ["comments", "reactions"].filter((list) => list in data);
  return { ...data, ...Object.fromEntries(lists.map((list) => [list, authored(data[list])])), actionUser: person };
}
