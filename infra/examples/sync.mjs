// Loads and sends the content of an editor (lib/crdt/EDITORS.md).
import * as Y from "yjs";

const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** An update has at most 300 KB. A little is left for what joins several of them. */
const bytesMax = 290 * 1024;

/** `editor`: {organizationId, documentId, editorId}. Call `load` first, and again to get the changes of others. */
export function sync(doc, editor, post) {
  let unsent = [];
  let generation;
  doc.on("update", (update, origin) => {
    if (origin !== "server") unsent.push(update);
  });

  async function load() {
    const stateVector = toBase64(Y.encodeStateVector(doc));
    const reply = await post("/v2/crdt/get", { ...editor, stateVector });
    if (generation !== undefined && generation !== reply.generation) {
      throw new Error("The editor was deleted and added again. Begin with a new Y.Doc.");
    }
    generation = reply.generation;
    Y.applyUpdate(doc, fromBase64(reply.update), "server");
  }

  /** Call it after a pause in typing, and wait until it has ended. It sends all changes since the last call. */
  async function send() {
    while (unsent.length > 0) {
      let count = 1;
      let bytes = unsent[0].length;
      while (count < unsent.length && bytes + unsent[count].length <= bytesMax) bytes += unsent[count++].length;
      const update = Y.mergeUpdates(unsent.slice(0, count));
      await post("/v2/crdt/update", { ...editor, generation, update: toBase64(update) });
      unsent = unsent.slice(count);
    }
  }

  return { load, send };
}
