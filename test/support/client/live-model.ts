// A model of two writers and one client: every order of their steps, with every fault. The client decides with its real
// `step`. Other clients matter only in that the service counts them as open: `othersAreOpen`. A message that is lost is
// like a writer that dies before it publishes.
import {
  dueAt,
  noReads,
  type Read,
  type ReadEvent,
  type Reads,
  step as realStep,
} from "../../../infra/client/source/live/reads.ts";

export type Step = typeof realStep;

/** Writers change these items; `named`: their messages say which. */
export interface Setting {
  items: [number, number];
  isNamed: boolean;
  othersAreOpen: boolean;
  /**
   * How many of each the model tries in one run: a message comes twice, the connection ends, a read fails, live/open fails
   * until the service no longer counts the client, a reply takes long. A writer can die at each step in any case.
   */
  faults: { double: number; cut: number; fail: number; late: number; slow: number };
}

interface Writer {
  at: "idle" | "numbered" | "committed" | "done";
  seq?: number;
  /** The service ends the call then. */
  endAt: number;
}

/** A call of live/open whose reply is on its way. */
interface Opening {
  sentAt: number;
  seq: number;
}

interface World {
  now: number;
  table: number[];
  seq: number;
  countedAt: number;
  writers: Writer[];
  isSubscribed: boolean;
  opening?: Opening | undefined;
  renewAt: number;
  reads: Reads;
  reading: { read: Read; seen?: number[] }[];
  shown: number[];
  flight: { seq: number; ids?: string[] }[];
  faults: Setting["faults"];
}

const [callMs, countedMs, renewMs] = [28_000, 180_000, 120_000];

/** The shortest way to a world from which the client never shows what the table has; and how many worlds there are. */
export function explore(setting: Setting, step: Step = realStep): { worlds: number; fault?: string[] } {
  const [reads] = step(noReads, { type: "use", topic: "comments" }, 0);
  const idle: Writer = { at: "idle", endAt: Infinity };
  const first: World = {
    ...{ now: 0, table: [0, 0], seq: 0, countedAt: -Infinity, writers: [idle, idle], isSubscribed: false },
    ...{ renewAt: Infinity, reads: { ...reads, topics: { comments: {} } }, reading: [], shown: [-1, -1], flight: [] },
    faults: setting.faults,
  };
  const seen = new Map<string, { from?: string; by?: string }>([[keyOf(first), {}]]);
  const queue: World[] = [first];
  const settled = new Map<string, boolean>();
  for (const world of queue) {
    const key = keyOf(world);
    if (world.writers.every(({ at }) => at === "done")) {
      if (!agrees(world)) return { worlds: seen.size, fault: wayTo(key) };
      // Then only what is on its way can still matter.
      if (world.flight.length === 0) continue;
    }
    for (const [by, next] of nexts(world)) {
      const nextKey = keyOf(next);
      if (seen.has(nextKey)) continue;
      seen.set(nextKey, { from: key, by });
      queue.push(next);
    }
  }
  return { worlds: seen.size };

  function wayTo(key: string): string[] {
    const { from, by } = seen.get(key) ?? {};
    return from === undefined ? [] : [...wayTo(from), by as string];
  }

  /** Without further faults, the client comes to show the table, after its next renewal at the latest. */
  function agrees(world: World): boolean {
    const end = world.now + renewMs + 31_000;
    const passed: string[] = [];
    let at = { ...world, faults: { double: 0, cut: 0, fail: 0, late: 0, slow: 0 } };
    let result: boolean | undefined;
    while (at.now < end) {
      const key = keyOf(at);
      result = settled.get(key);
      if (result !== undefined) break;
      passed.push(key);
      const [first] = nexts(at);
      if (!first) break;
      at = first[1] as typeof at;
    }
    result ??= String(at.shown) === String(at.table);
    for (const key of passed) settled.set(key, result);
    return result;
  }

  /** All that can happen next, named. What needs no fault comes first, and time passes only when nothing else can. */
  function nexts(world: World): [string, World][] {
    const { now, writers, opening, flight, faults, reading } = world;
    const all: [string, World][] = [];
    const add = (name: string, change: Partial<World>, event?: ReadEvent) => {
      const next = { ...world, ...change };
      if (!event) return void all.push([name, next]);
      const [reads, began] = step(next.reads, event, now);
      all.push([name, { ...next, reads, reading: [...next.reading, ...began.map((read) => ({ read }))] }]);
    };
    const fault = (kind: keyof Setting["faults"]) => ({ faults: { ...faults, [kind]: faults[kind] - 1 } });

    for (const message of flight) {
      const rest = flight.filter((each) => each !== message);
      const event = { type: "message", kind: "comments", ...message } as const;
      add(`message ${message.seq} arrives`, { flight: rest }, event);
      if (faults.double > 0) add(`message ${message.seq} arrives, and will again`, fault("double"), event);
    }
    for (const each of reading) {
      const others = reading.filter((other) => other !== each);
      if (!each.seen) add("a read sees the table", { reading: [...others, { ...each, seen: world.table }] });
      else if (world.reads.topics.comments?.running !== each.read) add("a stale reply is dropped", { reading: others });
      else {
        const isShown = (item: number) => each.read.ids === "all" || each.read.ids.includes(String(item));
        const shown = world.shown.map((old, item) => (isShown(item) ? (each.seen as number[])[item] : old) as number);
        add("a read's reply arrives", { reading: others, shown }, { type: "done", read: each.read });
      }
      if (faults.fail > 0) {
        add("a read fails", { reading: others, ...fault("fail") }, { type: "failed", read: each.read, retryMs: 5_000 });
      }
    }
    const isDue = now >= world.renewAt || !world.isSubscribed;
    if (!opening && isDue) {
      add("live/open is served", { countedAt: now, opening: { sentAt: now, seq: world.seq } });
      if (faults.late > 0) add("live/open fails for long", { renewAt: now + renewMs, ...fault("late") });
    }
    if (opening) {
      const { seq, sentAt } = opening;
      const event = { type: "opened", seq, sentAt, isJoin: !world.isSubscribed } as const;
      const after = { opening: undefined, isSubscribed: true, renewAt: now + renewMs };
      add(event.isJoin ? `joined with ${seq}` : `renewed with ${seq}`, after, event);
    }
    for (const [index, writer] of writers.entries()) {
      const name = `writer ${index + 1}`;
      const write = (what: string, change: Partial<Writer>, more: Partial<World> = {}) =>
        add(`${name} ${what}`, { writers: writers.with(index, { ...writer, ...change }), ...more });
      const item = setting.items[index] as number;
      // The writers are alike, so the second one begins second.
      if (writer.at === "idle" && writers[index - 1]?.at === "idle") continue;
      if (writer.at === "idle") {
        const isOpen = setting.othersAreOpen || now < world.countedAt + countedMs;
        const seq = world.seq + 1;
        if (isOpen) write(`reserves ${seq}`, { at: "numbered", seq, endAt: now + callMs }, { seq });
        else write("sees nobody", { at: "numbered", endAt: now + callMs });
      } else if (writer.at === "numbered") {
        const table = world.table.with(item, (world.table[item] as number) | (1 << index));
        write("commits", { at: "committed" }, { table });
      } else if (writer.at === "committed") {
        const { seq } = writer;
        const isHeard = seq !== undefined && world.isSubscribed;
        const message = { seq: seq as number, ...(setting.isNamed && { ids: [String(item)] }) };
        write("publishes", { at: "done", endAt: Infinity }, isHeard ? { flight: [...flight, message] } : {});
      }
      if (writer.at !== "done" && writer.at !== "idle") write("dies", { at: "done", endAt: Infinity });
    }
    if (faults.cut > 0 && world.isSubscribed) {
      add("the connection ends", {
        isSubscribed: false,
        renewAt: Infinity,
        opening: undefined,
        flight: [],
        ...fault("cut"),
      });
    }
    const ends = Math.min(...writers.map(({ endAt }) => endAt));
    const at = Math.min(dueAt(world.reads), world.renewAt > now ? world.renewAt : Infinity, ends);
    // A read that the service sees later is like one that begins later.
    const isWaiting = reading.length > 0 || opening;
    if (at > now && at < Infinity && reading.every(({ seen }) => seen) && (!isWaiting || faults.slow > 0)) {
      const [reads, began] = step(world.reads, { type: "time" }, at);
      const reading = [...world.reading, ...began.map((read) => ({ read }))];
      const spent = isWaiting ? fault("slow") : {};
      all.push([`${(at - now) / 1_000} s pass`, { ...world, now: at, reads, reading, ...spent }]);
    }
    return all;
  }
}

/** Worlds that differ only in the time of day are one. */
function keyOf({
  now,
  table,
  seq,
  countedAt,
  writers,
  isSubscribed,
  opening,
  renewAt,
  reads,
  ...world
}: World): string {
  const ago = (at: number | undefined) => (at === undefined ? "" : Math.max(at - now, -countedMs - 1));
  const { openedAt, opened, base, arrived, top, doubts, topics } = reads;
  const { wanted, running, retryAt } = topics.comments ?? {};
  return [
    ...[...table, seq, ago(countedAt), isSubscribed, opening && `${ago(opening.sentAt)}.${opening.seq}`, ago(renewAt)],
    ...writers.map(({ at, seq, endAt }) => `${at}.${seq}.${ago(endAt)}`),
    ...[ago(openedAt), opened, base, `${arrived}`, top, `${wanted}`, `${running?.ids}`, ago(retryAt)],
    ...doubts.map(({ upTo, sinceAt, isRead, isJoin }) => `${upTo}.${ago(sinceAt)}.${isRead}.${isJoin}`),
    ...world.reading.map(({ read, seen }) => `${read === running}.${read.ids}.${seen}`),
    ...[`${world.shown}`, ...world.flight.map(({ seq }) => seq), Object.values(world.faults).join(".")],
  ].join();
}
