// Which reads follow from which messages and times. Every change of a document has a number. It is reserved before the
// change is committed, and a message with it is sent after that, so that a lost message or a call that died leaves a hole
// in the numbers. Nothing here has an effect, so a model tries all orders of events (test/infra/client/source/live).

/** How long a hole may stay before everything is read: messages can overtake one another. */
const holeMs = 200;
/** When everything is read again: every call that ran when the doubt arose has ended by then, after 28 s at most. */
const lateMs = 30_000;
/** How long after an opening the service still counts this client, with a margin. Later changes can have no number. */
const countedMs = 175_000;
/** The pause after a read of one item of a kind: an editor into which somebody types changes many times a second. */
const apartMs = 200;
/** The most ids of one read. */
const idsMax = 100;

type Wanted = readonly string[] | "all";

/** A read to begin now. `topic` is what to read. */
export interface Read {
  topic: string;
  ids: Wanted;
}

interface Topic {
  wanted?: Wanted | undefined;
  running?: Read | undefined;
  /** Not before this time: after a read that failed, or that was followed by a pause. */
  retryAt?: number | undefined;
}

/** Numbers up to `upTo` whose changes may be unread. `isJoin`: changes without a number too. */
interface Doubt {
  upTo: number;
  sinceAt: number;
  isRead: boolean;
  isJoin: boolean;
}

export interface Reads {
  /** When the last opening was sent, and its number. */
  openedAt: number;
  opened: number;
  /** Up to this number, and above it in `arrived`, all changes are known. */
  base: number;
  arrived: readonly number[];
  /** The highest number that is known to be reserved. */
  top: number;
  doubts: readonly Doubt[];
  topics: Readonly<Record<string, Topic>>;
}

/** Times are those of one clock that never goes back. `seq`: absent in an inbox, which has no numbers. */
export type ReadEvent =
  | { type: "opened"; seq: number | undefined; sentAt: number; isJoin: boolean }
  | { type: "message"; seq?: number | undefined; kind: string; ids?: readonly string[] | undefined }
  | { type: "use" | "drop"; topic: string }
  | { type: "changed"; topic: string; ids: Wanted }
  /** `restMs`: a change of some items can wait so long for others. */
  | { type: "done"; read: Read; restMs?: number | undefined }
  | { type: "failed"; read: Read; retryMs: number }
  | { type: "time" };

export const noReads: Reads = { openedAt: -Infinity, opened: 0, base: 0, arrived: [], top: 0, doubts: [], topics: {} };

/** The state after an event, and the reads that begin. Call it again at `dueAt`. */
export function step(before: Reads, event: ReadEvent, now: number): [Reads, Read[]] {
  const after = inTime(heard(before, event, now), now);
  const reads: Read[] = [];
  const topics = Object.entries(after.topics).map(([topic, each]): [string, Topic] => {
    if (!each.wanted || each.running || now < (each.retryAt ?? 0)) return [topic, each];
    const running = { topic, ids: each.wanted };
    reads.push(running);
    return [topic, { running }];
  });
  return [{ ...after, topics: Object.fromEntries(topics) }, reads];
}

/** When something is due; Infinity: only after the next event. */
export function dueAt({ doubts, topics }: Reads): number {
  const retries = Object.values(topics).map(
    ({ wanted, running, retryAt }) => (wanted && !running && retryAt) || Infinity,
  );
  return Math.min(...doubts.map(doubtDueAt), ...retries);
}

const doubtDueAt = ({ sinceAt, isRead }: Doubt) => sinceAt + (isRead ? lateMs : holeMs);

function heard(state: Reads, event: ReadEvent, now: number): Reads {
  switch (event.type) {
    case "opened":
      return opened(state, event, now);
    case "message":
      return messaged(state, event, now);
    case "use":
      return withTopic(state, event.topic, { wanted: "all" });
    case "drop": {
      const { [event.topic]: _, ...topics } = state.topics;
      return { ...state, topics };
    }
    case "changed":
      return want(state, event.ids, (topic) => topic === event.topic);
    case "done":
    case "failed": {
      const { read } = event;
      const topic = state.topics[read.topic];
      // It is out of date: the topic can have been dropped, and used again.
      if (topic?.running !== read) return state;
      const rest = { ...topic, running: undefined };
      if (event.type === "done") {
        const { restMs = read.topic.includes("/") ? apartMs : 0 } = event;
        return withTopic(state, read.topic, { ...rest, retryAt: now + restMs });
      }
      return withTopic(state, read.topic, { wanted: union(rest.wanted, read.ids), retryAt: now + event.retryMs });
    }
    default:
      return state;
  }
}

function opened(state: Reads, { seq, sentAt, isJoin }: ReadEvent & { type: "opened" }, now: number): Reads {
  const next = { ...state, openedAt: sentAt, opened: seq ?? 0 };
  // Where nobody was counted, changes had no number, and the numbers can have begun again.
  if (isJoin || now - state.openedAt >= countedMs || (seq ?? 0) < state.opened) {
    const doubt = { upTo: seq ?? 0, sinceAt: now, isRead: true, isJoin: true };
    const topics = Object.keys(state.topics).map((topic) => [topic, { wanted: "all" }] as const);
    return {
      ...next,
      ...{ base: doubt.upTo, top: doubt.upTo, arrived: [], doubts: [doubt] },
      // A read that runs can be old, and can hang.
      topics: Object.fromEntries(topics),
    };
  }
  if (seq === undefined) return want(next, "all");
  return seq > state.top ? doubting({ ...next, top: seq }, seq, now) : next;
}

function messaged(state: Reads, { seq, kind, ids }: ReadEvent & { type: "message" }, now: number): Reads {
  /** A topic is a kind, or one item of a kind: `crdt/body`. */
  const isOfKind = (topic: string) => {
    // A document that moves, or whose locations do, changes how all of it is shown.
    if (kind === "document") return true;
    const id = topic.startsWith(`${kind}/`) ? topic.slice(kind.length + 1) : undefined;
    return id === undefined ? topic === kind : !ids || ids.includes(id);
  };
  if (seq === undefined) return want(state, ids ?? "all", isOfKind);
  const unsure = Math.max(0, ...state.doubts.map(({ upTo, isJoin }) => (isJoin ? upTo : 0)));
  // It came already.
  if (state.arrived.includes(seq) || (seq <= state.base && seq > unsure)) return state;
  const next = { ...state, arrived: [...state.arrived, seq], top: Math.max(state.top, seq) };
  const known = advanced(seq > state.top + 1 ? doubting(next, seq, now) : next);
  return want(known, ids ?? "all", isOfKind);
}

/** There can be a hole below or at this number. */
function doubting(state: Reads, upTo: number, now: number): Reads {
  const last = state.doubts.at(-1);
  // A doubt that is not read yet grows, by less than the calls' time that lateMs leaves.
  const joined = last && !last.isRead ? state.doubts.slice(0, -1) : state.doubts;
  const sinceAt = joined === state.doubts ? now : (last as Doubt).sinceAt;
  return { ...state, doubts: [...joined, { upTo, sinceAt, isRead: false, isJoin: false }] };
}

/** Forgets what needs no memory: numbers without a hole before them, and doubts whose messages have all come. */
function advanced(state: Reads): Reads {
  let { base } = state;
  while (state.arrived.includes(base + 1)) base++;
  const arrived = state.arrived.filter((each) => each > base);
  const doubts = state.doubts.filter(({ isJoin, upTo }) => isJoin || upTo > base);
  return { ...state, base, arrived, doubts };
}

/** Each doubt causes two reads of everything: one after a short time, and one when all calls from before have ended. */
function inTime(state: Reads, now: number): Reads {
  const due = state.doubts.filter((each) => now >= doubtDueAt(each));
  if (due.length === 0) return state;
  const over = due.filter(({ isRead, sinceAt }) => isRead || now >= sinceAt + lateMs);
  const doubts = state.doubts
    .filter((each) => !over.includes(each))
    .map((each) => (due.includes(each) ? { ...each, isRead: true } : each));
  const base = Math.max(state.base, ...over.map(({ upTo }) => upTo));
  return want(advanced({ ...state, base, doubts }), "all");
}

function want(state: Reads, ids: Wanted, isMeant: (topic: string) => boolean = () => true): Reads {
  const topics = Object.entries(state.topics).map(([name, topic]): [string, Topic] => {
    if (!isMeant(name)) return [name, topic];
    const wanted = union(topic.wanted, name.includes("/") ? "all" : ids);
    // What needs a join or is late need not wait for the next attempt.
    return [name, { ...topic, wanted, retryAt: ids === "all" ? undefined : topic.retryAt }];
  });
  return { ...state, topics: Object.fromEntries(topics) };
}

function union(one: Wanted | undefined, other: Wanted): Wanted {
  if (one === "all" || other === "all") return "all";
  const ids = [...new Set([...(one ?? []), ...other])];
  return ids.length > idsMax ? "all" : ids;
}

const withTopic = (state: Reads, name: string, topic: Topic): Reads => ({
  ...state,
  topics: { ...state.topics, [name]: topic },
});
