// The documents of an organization, for choices and names.
import { load } from "./api.ts";
import { seldomMs, useLive } from "./live.ts";
import { allPages } from "./paging.ts";
import type { ShownDocument } from "./types.ts";

/** The first documents are enough for a choice. */
export const documentsMax = 200;

interface Asked {
  organizationId: string | undefined;
  /** Absent: all. */
  documentIds?: string[];
}

export const loadDocuments = (asked: Asked, signal: AbortSignal, max?: number): Promise<ShownDocument[]> =>
  allPages(async (pageToken) => {
    type Reply = { documents: ShownDocument[]; nextPageToken: string | null };
    const reply = await load<Reply>("v2/organizations/documents/get", { ...asked, pageToken }, signal);
    return { items: reply.documents, nextPageToken: reply.nextPageToken };
  }, max);

export const useDocuments = (organizationId: string | undefined) =>
  useLive(
    organizationId === undefined ? undefined : ["all documents", organizationId],
    (signal) => loadDocuments({ organizationId }, signal, documentsMax),
    seldomMs,
  );
