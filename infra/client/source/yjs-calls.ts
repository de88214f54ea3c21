// The calls of a CollaborationProvider.
import * as Y from "yjs";
import type { CollaborationOptions } from "./yjs-types.ts";

const placeOf = ({ organizationId, documentId, editorId }: CollaborationOptions) => {
  return { organizationId, documentId, editorId };
};

interface Missing {
  generation: string;
  update: string;
  stateVector?: string;
}

/** What is stored and the document lacks; undefined: nothing is stored. */
export function missing(options: CollaborationOptions, doc: Y.Doc): Promise<Missing | undefined> {
  const stateVector = base64(Y.encodeStateVector(doc));
  return options.client.crdtGet({ ...placeOf(options), stateVector }).catch((error) => {
    if (error.status !== "NOT_FOUND") throw error;
  });
}

/** Stores an update of a known life of the content, or of the first one. Returns which it is. */
export async function stored(
  options: CollaborationOptions,
  generation: string | undefined,
  update: Uint8Array,
  callOptions: object,
): Promise<string> {
  const { client, type, contentKey } = options;
  const editor = generation === undefined ? { type, contentKey } : { generation };
  const reply = await client.crdtUpdate({ ...placeOf(options), ...editor, update: base64(update) }, callOptions);
  return generation ?? reply.generation;
}

function base64(bytes: Uint8Array): string {
  // A call with all of them has too many arguments.
  let text = "";
  for (let start = 0; start < bytes.length; start += 8_192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(text);
}

export const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
