// Cursors and selections of an editor: the state of its awareness, as y-protocols has it, among the pages of a document.
import * as encoding from "lib0/encoding";
import { type Awareness, applyAwarenessUpdate, removeAwarenessStates } from "y-protocols/awareness";
import type { Peer } from "./live/awareness.ts";

interface Said {
  id: number;
  clock: number;
  state: { user?: object };
}

/** Another number would be written as that of another client. */
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;

/** What this page says. null: nothing. */
export function saidBy({ clientID: id, meta, states }: Awareness): Said | null {
  const state = states.get(id);
  return state ? { id, clock: meta.get(id)?.clock ?? 0, state } : null;
}

export class Cursors {
  readonly #awareness: Awareness;
  readonly #slot: string;
  readonly #origin: object;
  /** What each page has said last, and the number under which it is shown. */
  readonly #clients = new Map<string, { said: number; clock: number; id: number }>();

  constructor(awareness: Awareness, slot: string, origin: object) {
    this.#awareness = awareness;
    this.#slot = slot;
    this.#origin = origin;
  }

  /** Shows the cursors of other pages, each under the user of its ticket. */
  hear(peers: readonly Peer[]): void {
    const gone = new Map(this.#clients);
    for (const { page, user, state } of peers) {
      const said = state[this.#slot] as Said | undefined;
      if (!said || ![said.id, said.clock].every(isCount)) continue;
      const key = JSON.stringify([user.userId, page]);
      gone.delete(key);
      const known = this.#clients.get(key);
      const isSame = known?.said === said.id;
      if (isSame && known.clock >= said.clock) continue;
      if (known && !isSame) this.#end(key, known.id);
      const id = isSame ? known.id : this.#freeId(said.id);
      this.#clients.set(key, { said: said.id, clock: said.clock, id });
      this.#apply({ ...said, id }, { ...said.state?.user, id: user.userId, name: user.name ?? user.userId });
    }
    for (const [key, { id }] of gone) this.#end(key, id);
  }

  /** Any page can say the number of another: neither takes the cursor of the other. */
  #freeId(said: number): number {
    const taken = new Set([this.#awareness.clientID, ...[...this.#clients.values()].map(({ id }) => id)]);
    let id = said;
    for (let other = Number.MAX_SAFE_INTEGER; taken.has(id); other--) id = other;
    return id;
  }

  #apply({ id, clock, state }: Said, user: object): void {
    const encoder = encoding.createEncoder();
    for (const number of [1, id, clock]) encoding.writeVarUint(encoder, number);
    encoding.writeVarString(encoder, JSON.stringify({ ...state, user }));
    applyAwarenessUpdate(this.#awareness, encoding.toUint8Array(encoder), this.#origin);
  }

  #end(key: string, id: number): void {
    this.#clients.delete(key);
    removeAwarenessStates(this.#awareness, [id], this.#origin);
    // So that the same clock counts when it comes back.
    this.#awareness.meta.delete(id);
  }
}
