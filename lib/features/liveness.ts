// Says which documents and locations exist, cached for one call. Each is read once, and concurrent reads share a
// request.
import type { Location } from "../schema/location.ts";
import { documentByUid } from "../store/content/document-by-uid.ts";
import * as LocationStore from "../store/content/location.ts";
import type { Owner } from "../store/content/owner.ts";
import type { DocumentDataRef, LocationDataRef, WorkspaceRef } from "../store/refs.ts";

export interface Liveness {
  /** The public ids of the document with this internal id; undefined: it is deleted. */
  document(ref: Omit<DocumentDataRef, "workspace">): Promise<Owner | undefined>;
  /** The location's object; undefined: it is deleted. */
  location(ref: Omit<LocationDataRef, "workspace">): Promise<Location | undefined>;
}

export function newLiveness({ workspace }: WorkspaceRef): Liveness {
  const documents = new Map<string, Promise<Owner | undefined>>();
  const locations = new Map<string, Promise<Location | undefined>>();
  return {
    document: ({ documentUid }) => once(documents, documentUid, () => documentNameOf({ workspace, documentUid })),
    location: ({ documentUid, locationUid }) =>
      once(locations, `${documentUid}#${locationUid}`, () =>
        LocationStore.current({ workspace, documentUid, locationUid }),
      ),
  };
}

function once<T>(known: Map<string, Promise<T>>, name: string, read: () => Promise<T>): Promise<T> {
  const found = known.get(name) ?? read();
  known.set(name, found);
  return found;
}

async function documentNameOf(ref: DocumentDataRef): Promise<Owner | undefined> {
  const document = await documentByUid(ref);
  return document && { organizationId: document.organizationId, documentId: document.documentId };
}
