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
  /** The client of Yjs by the page that speaks for it. */
  readonly #clients = new Map<string, { id: number; clock: number }>();

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
      if (!said || ![said.id, said.clock].every(isCount) || said.id === this.#awareness.clientID) continue;
      const key = JSON.stringify([user.userId, page]);
      // No page speaks for the client of another.
      if ([...this.#clients].some(([other, { id }]) => other !== key && id === said.id)) continue;
      gone.delete(key);
      const known = this.#clients.get(key);
      if (known?.id === said.id && known.clock >= said.clock) continue;
      if (known && known.id !== said.id) this.#remove(known.id);
      this.#clients.set(key, { id: said.id, clock: said.clock });
      this.#apply(said, { ...said.state?.user, id: user.userId, name: user.name ?? user.userId });
    }
    for (const [key, { id }] of gone) {
      this.#clients.delete(key);
      this.#remove(id);
    }
  }

  #apply({ id, clock, state }: Said, user: object): void {
    const encoder = encoding.createEncoder();
    for (const number of [1, id, clock]) encoding.writeVarUint(encoder, number);
    encoding.writeVarString(encoder, JSON.stringify({ ...state, user }));
    applyAwarenessUpdate(this.#awareness, encoding.toUint8Array(encoder), this.#origin);
  }

  #remove(id: number): void {
    removeAwarenessStates(this.#awareness, [id], this.#origin);
    // So that the same clock counts when it comes back.
    this.#awareness.meta.delete(id);
  }
}
