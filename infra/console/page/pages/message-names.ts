// The names of the users and documents of messages. The list of messages has only their ids.
import { useRef } from "preact/hooks";
import { load } from "../api.ts";
import { seldomMs, useLive } from "../live.ts";
import { allPages } from "../paging.ts";
import type { ShownDocument, User } from "../types.ts";

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

type Named = [key: string, name: string][];

/** The API takes no more. Those that are left out keep their ids. */
const idsMax = 100;

const keyOf = (kind: "user" | "document", organizationId: string, id: string) =>
  JSON.stringify([kind, organizationId, id]);

/** Returns the name, or the id as long as no name is known. */
export function useMessageNames(messages: readonly About[] = []) {
  const wanted = wantedOf(messages);
  const last = useRef<Named>([]);
  const { data } = useLive(
    wanted.length === 0 ? undefined : ["message names", wanted],
    (signal) => namesOf(wanted, signal),
    seldomMs,
  );
  // While the names of a further message are loaded, the others stay.
  last.current = data ?? last.current;
  const names = new Map(last.current);
  return (kind: "user" | "document", organizationId: string, id: string) => {
    return names.get(keyOf(kind, organizationId, id)) ?? id;
  };
}

export type NameOf = ReturnType<typeof useMessageNames>;

/** By organization. A new order of the messages wants the same. */
function wantedOf(messages: readonly About[]): Wanted[] {
  const distinct = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))].sort().slice(0, idsMax);
  return distinct(messages.map(({ organizationId }) => organizationId)).map((organizationId) => {
    const own = messages.filter((each) => each.organizationId === organizationId);
    const userIds = distinct(own.map(({ userId }) => userId));
    return { organizationId, userIds, documentIds: distinct(own.map(({ documentId }) => documentId)) };
  });
}

/** An organization that has gone meanwhile has no names, and the others have theirs. */
async function namesOf(wanted: readonly Wanted[], signal: AbortSignal): Promise<Named> {
  const found = await Promise.allSettled(wanted.flatMap((each) => [usersOf(each, signal), documentsOf(each, signal)]));
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

async function usersOf({ organizationId, userIds }: Wanted, signal: AbortSignal): Promise<Named> {
  if (userIds.length === 0) return [];
  const users = await allPages(async (pageToken) => {
    const data = { organizationId, userIds, pageToken };
    const reply = await load<{ users: User[]; nextPageToken: string | null }>("v2/users/get", data, signal);
    return { items: reply.users, nextPageToken: reply.nextPageToken };
  });
  return users.map(({ userId, name }) => [keyOf("user", organizationId, userId), name || userId]);
}

async function documentsOf({ organizationId, documentIds }: Wanted, signal: AbortSignal): Promise<Named> {
  if (documentIds.length === 0) return [];
  const documents = await allPages(async (pageToken) => {
    type Reply = { documents: ShownDocument[]; nextPageToken: string | null };
    const data = { organizationId, documentIds, pageToken };
    const reply = await load<Reply>("v2/organizations/documents/get", data, signal);
    return { items: reply.documents, nextPageToken: reply.nextPageToken };
  });
  return documents.map(({ documentId, documentName }) => [
    keyOf("document", organizationId, documentId),
    documentName || documentId,
  ]);
}
