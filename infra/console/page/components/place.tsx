// What an entry of a list is about: a document and its organization, by their names.
import { load } from "../api.ts";
import { seldomMs, useLive } from "../live.ts";
import { address, documentAddress } from "../places.ts";
import type { Organization, ShownDocument } from "../types.ts";

interface Place {
  organizationId: string | null;
  documentId: string | null;
}

/** As many ids as a call takes. */
const idsMax = 100;

/** Names by the ids as JSON. They stay when the list gets another entry, so that no name becomes an id for a moment. */
const known = new Map<string, string>();
const keyOf = (...ids: (string | null)[]) => JSON.stringify(ids);

/** Loads the names of all these places with few calls. */
export function useNames(places: readonly Place[]): void {
  const byOrganization = Map.groupBy(places, ({ organizationId }) => organizationId ?? "");
  byOrganization.delete("");
  const wanted = [...byOrganization].map(
    ([org, of]) => [org, distinct(of.map(({ documentId }) => documentId))] as const,
  );
  useLive(
    wanted.length > 0 ? `names ${JSON.stringify(wanted)}` : undefined,
    async (signal) => {
      await Promise.all(wanted.map(([org, ids]) => readNames(org, ids, signal)));
      return wanted.flatMap(([org, ids]) => [null, ...ids].map((id) => known.get(keyOf(org, id))));
    },
    seldomMs,
  );
}

const distinct = (ids: readonly (string | null)[]) => [...new Set(ids)].filter((id) => id !== null).slice(0, idsMax);

/** What was deleted meanwhile keeps its id as its name. */
async function readNames(organizationId: string, documentIds: string[], signal: AbortSignal): Promise<void> {
  const [organizations, documents] = await Promise.allSettled([
    load<{ organizations: Organization[] }>("v2/organizations/get", { organizationIds: [organizationId] }, signal),
    documentIds.length > 0 &&
      load<{ documents: ShownDocument[] }>("v2/organizations/documents/get", { organizationId, documentIds }, signal),
  ]);
  const keep = (id: string | null, name: string | undefined) => name && known.set(keyOf(organizationId, id), name);
  if (organizations.status === "fulfilled")
    for (const { organizationName } of organizations.value.organizations) keep(null, organizationName);
  if (documents.status === "fulfilled" && documents.value)
    for (const { documentId, documentName } of documents.value.documents) keep(documentId, documentName);
}

/** "Launch plan in Acme" */
export function PlaceLinks({ organizationId: org, documentId }: Place) {
  if (!org) return null;
  return (
    <>
      {documentId && (
        <>
          <a href={documentAddress(org, documentId)} title={documentId}>
            {known.get(keyOf(org, documentId)) ?? documentId}
          </a>{" "}
          in{" "}
        </>
      )}
      <a href={address("/console/documents", { org })}>{known.get(keyOf(org, null)) ?? org}</a>
    </>
  );
}
