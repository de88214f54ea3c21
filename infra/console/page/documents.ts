// The documents of an organization, for choices and names.
import { load } from "./api.ts";
import { seldomMs, useLive } from "./live.ts";
import { allPages } from "./paging.ts";
import type { ShownDocument } from "./types.ts";

/** The first documents are enough for a choice. */
export const documentsMax = 200;

export function useDocuments(organizationId: string | undefined) {
  return useLive(
    organizationId === undefined ? undefined : ["all documents", organizationId],
    (signal) =>
      allPages(async (pageToken) => {
        type Reply = { documents: ShownDocument[]; nextPageToken: string | null };
        const reply = await load<Reply>("v2/organizations/documents/get", { organizationId, pageToken }, signal);
        return { items: reply.documents, nextPageToken: reply.nextPageToken };
      }, documentsMax),
    seldomMs,
  );
}
