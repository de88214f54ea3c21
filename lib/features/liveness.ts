// Which documents and locations live, as one call sees them. Each is looked up once, and what is asked for side by side
// is one read.
import type { Location } from "../schema/location.ts";
import * as Document from "../store/document.ts";
import * as LocationStore from "../store/location.ts";

export interface Liveness {
  /** The name of a uid's document; `said` is whose it is where nothing under the uid says so. */
  document(uid: string, said?: Document.Owner): Promise<Document.Owner | undefined>;
  location(uid: string, luid: string): Promise<Location | undefined>;
}

export function newLiveness(workspace: string): Liveness {
  const documents = new Map<string, Promise<Document.Owner | undefined>>();
  const locations = new Map<string, Promise<Location | undefined>>();
  return {
    document: (uid, said) => once(documents, uid, () => documentOf(workspace, uid, said)),
    location: (uid, luid) => once(locations, `${uid}#${luid}`, () => LocationStore.current([workspace, uid], luid)),
  };
}

function once<T>(known: Map<string, Promise<T>>, name: string, look: () => Promise<T>): Promise<T> {
  const found = known.get(name) ?? look();
  known.set(name, found);
  return found;
}

/** The document lives as long as its name points to the uid. */
async function documentOf(workspace: string, uid: string, said?: Document.Owner): Promise<Document.Owner | undefined> {
  const owner = (await Document.ownerOf(workspace, uid)) ?? said;
  if (!owner) return undefined;
  const { organizationId, documentId } = owner;
  const [document] = await Document.getMany(workspace, organizationId, [documentId]);
  return document?.uid === uid ? { organizationId, documentId } : undefined;
}
