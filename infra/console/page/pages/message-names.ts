// The names of the users and documents of messages. The list of messages has only their ids.
import { ApiFailure } from "../api.ts";
import { loadDocuments } from "../documents.ts";
import { seldomMs, useLive } from "../live.ts";
import { loadUsers } from "../users.ts";

interface About {
  organizationId: string | null;
  documentId: string | null;
  userId: string | null;
}

interface Wanted {
  organizationId: string;
  userIds: string[];
  documentIds: string[];
}

type Kind = "user" | "document";

/** The API takes no more. The others are asked for next time. */
const idsMax = 100;
const organizationsAtOnce = 10;
/** A name changes seldom, and who has gone seldom comes back. */
const knownForMs = 600_000;

/** By kind, organization and id. What has no name, or has gone, has its id as its name. */
const known = new Map<string, { name: string; untilMs: number }>();
const keyOf = (kind: Kind, organizationId: string, id: string) => JSON.stringify([kind, organizationId, id]);

/** Returns the name, or the id as long as no name is known. */
export function nameOf(kind: Kind, organizationId: string, id: string): string {
  return known.get(keyOf(kind, organizationId, id))?.name ?? id;
}

export type NameOf = typeof nameOf;

/** Renders again when it knows another name. */
export function useMessageNames(messages: readonly About[] = []): NameOf {
  const wanted = wantedOf(messages);
  const key = wanted.length === 0 ? undefined : ["message names", wanted];
  useLive(key, (signal) => learnNames(wanted, signal), seldomMs);
  return nameOf;
}

/** By organization. A new order of the messages wants the same. */
function wantedOf(messages: readonly About[]): Wanted[] {
  const distinct = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))].sort();
  return distinct(messages.map(({ organizationId }) => organizationId)).map((organizationId) => {
    const own = messages.filter((each) => each.organizationId === organizationId);
    const userIds = distinct(own.map(({ userId }) => userId));
    return { organizationId, userIds, documentIds: distinct(own.map(({ documentId }) => documentId)) };
  });
}

/** Asks for what is not known, of a few organizations at a time. Returns all names that are wanted. */
export async function learnNames(wanted: readonly Wanted[], signal: AbortSignal): Promise<string[]> {
  for (let from = 0; from < wanted.length; from += organizationsAtOnce) {
    await Promise.all(
      wanted
        .slice(from, from + organizationsAtOnce)
        .flatMap(({ organizationId, userIds, documentIds }) => [
          learn("user", organizationId, userIds, (ids) => usersOf(organizationId, ids, signal)),
          learn("document", organizationId, documentIds, (ids) => documentsOf(organizationId, ids, signal)),
        ]),
    );
  }
  return wanted.flatMap(({ organizationId, userIds, documentIds }) => [
    ...userIds.map((id) => nameOf("user", organizationId, id)),
    ...documentIds.map((id) => nameOf("document", organizationId, id)),
  ]);
}

type Named = (readonly [id: string, name: string | undefined])[];

async function learn(kind: Kind, organizationId: string, ids: string[], namesOf: (ids: string[]) => Promise<Named>) {
  const nowMs = Date.now();
  const isUnknown = (id: string) => (known.get(keyOf(kind, organizationId, id))?.untilMs ?? 0) <= nowMs;
  const asked = ids.filter(isUnknown).slice(0, idsMax);
  if (asked.length === 0) return;
  const names = new Map(await namesOf(asked).catch(noneIfGone));
  for (const id of asked) {
    known.set(keyOf(kind, organizationId, id), { name: names.get(id) || id, untilMs: nowMs + knownForMs });
  }
}

/** An organization that has gone meanwhile has no names. Any other failure is one. */
function noneIfGone(thrown: unknown): Named {
  if (thrown instanceof ApiFailure && thrown.status === "NOT_FOUND") return [];
  throw thrown;
}

async function usersOf(organizationId: string, userIds: string[], signal: AbortSignal): Promise<Named> {
  const users = await loadUsers({ organizationId, userIds }, signal);
  return users.map(({ userId, name }) => [userId, name] as const);
}

async function documentsOf(organizationId: string, documentIds: string[], signal: AbortSignal): Promise<Named> {
  const documents = await loadDocuments({ organizationId, documentIds }, signal);
  return documents.map(({ documentId, documentName }) => [documentId, documentName] as const);
}
