// Which documents and locations live, as one call sees them. Each is looked up once, and what is asked for side by side
// is one read.
import type { Location } from "../schema/location.ts";
import * as LocationStore from "../store/location.ts";
import * as Owner from "../store/owner.ts";

export interface Liveness {
  /** The name of a uid's document. */
  document(uid: string): Promise<Owner.Owner | undefined>;
  location(uid: string, luid: string): Promise<Location | undefined>;
}

export function newLiveness(workspace: string): Liveness {
  const documents = new Map<string, Promise<Owner.Owner | undefined>>();
  const locations = new Map<string, Promise<Location | undefined>>();
  return {
    document: (uid) => once(documents, uid, () => nameOf(workspace, uid)),
    location: (uid, luid) => once(locations, `${uid}#${luid}`, () => LocationStore.current([workspace, uid], luid)),
  };
}

function once<T>(known: Map<string, Promise<T>>, name: string, look: () => Promise<T>): Promise<T> {
  const found = known.get(name) ?? look();
  known.set(name, found);
  return found;
}

async function nameOf(workspace: string, uid: string): Promise<Owner.Owner | undefined> {
  const document = await Owner.documentOf(workspace, uid);
  return document && { organizationId: document.organizationId, documentId: document.documentId };
}
