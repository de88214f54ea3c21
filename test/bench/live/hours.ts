// What ten typical hours cost. A few pages do each thing that happens in such an hour, and what it causes is counted:
// calls with their request units, calls of the authorizer, operations and messages of the engine. The cost of an hour is
// the sum of its things, with the prices of COSTS.md.
import { windowMs } from "../../../lib/live/names.ts";
import { priced } from "../../support/cost/prices.ts";
import { ofCalls, type Usage } from "../../support/cost/usage.ts";
import { type Group, newGroup, type Service } from "./processes.ts";
import { newScene } from "./scene.ts";
import { after, rounded } from "./times.ts";

/** Counts of one thing that happens. */
interface Counted {
  calls: number;
  readUnits: number;
  writeUnits: number;
  trips: number;
  /** Invocations of the authorizer. */
  authorizations: number;
  /** Requests and messages of the engine, each way. */
  operations: number;
}

const none: Counted = { calls: 0, readUnits: 0, writeUnits: 0, trips: 0, authorizations: 0, operations: 0 };
const names = Object.keys(none) as (keyof Counted)[];
const combined = (one: Counted, other: Counted, of: (a: number, b: number) => number): Counted =>
  Object.fromEntries(names.map((name) => [name, of(one[name], other[name])])) as unknown as Counted;
const plus = (one: Counted, other: Counted, times = 1) => combined(one, other, (a, b) => a + times * b);

/** The types of messages that AppSync counts. It does not count `ka`, nor what it answers. */
const isOperation = (name: string) => /^(?:sent (?:connection_init|subscribe|publish)|got data)$/.test(name);
/** AppSync asks the authorizer when a page connects, subscribes and publishes. */
const isAuthorized = isOperation;

async function counted(service: Service, groups: readonly Group[], work: () => Promise<unknown>): Promise<Counted> {
  const sum = (all: Record<string, number>[], isMeant: (name: string) => boolean) =>
    all
      .flatMap((each) => Object.entries(each))
      .reduce((total, [name, count]) => total + (isMeant(name) ? count : 0), 0);
  const framesOf = () => Promise.all(groups.map((each) => each.frames()));
  service.lines();
  const before = await framesOf();
  await work();
  const later = await framesOf();
  const lines = service.lines();
  const of = (name: "readUnits" | "writeUnits" | "roundTrips" | "liveRequests") =>
    lines.reduce((total, line) => total + (line[name] ?? 0), 0);
  const difference = (isMeant: (name: string) => boolean) => sum(later, isMeant) - sum(before, isMeant);
  const sentBySelf = (name: string) => isAuthorized(name) && name.startsWith("sent");
  return {
    calls: lines.length,
    ...{ readUnits: of("readUnits"), writeUnits: of("writeUnits"), trips: of("roundTrips") },
    authorizations: difference(sentBySelf),
    operations: difference(isOperation) + of("liveRequests"),
  };
}

const overlapMs = 31_000;
const settleMs = 1_500;
/** A page reads again so long after it has joined. */
const lateMs = 32_000;

/** At the begin of a window, messages go to two channels. It is a sixth of the time, so it is left out. */
async function afterOverlap(): Promise<void> {
  const into = Date.now() % windowMs;
  if (into < overlapMs) await after(overlapMs - into);
}

type Thing = "comment" | "keystroke" | "cursor" | "renewal" | "join";
/** What happened, with so many pages. */
interface Sample extends Counted {
  thing: Thing;
  pages: number;
}

/** Counts what happens on a document with two pages, and again with more. */
async function samples(
  service: Service,
  client: string,
  most: number,
  changes: number,
  hasCursors: boolean,
): Promise<Sample[]> {
  const { place, tokens } = await newScene(service, `hour-${hasCursors}`, most);
  const parts = hasCursors ? (["peers"] as const) : (["text", "comments"] as const);
  const opening = { kind: "ours", url: service.url, client, place, parts } as const;
  const groups = [newGroup(), newGroup()] as const;
  const [writer, others] = groups;
  const found: Sample[] = [];
  const each = async (thing: Thing, pages: number, count: number, ms: number, work: () => Promise<unknown>) => {
    await afterOverlap();
    const all = await counted(service, groups, async () => {
      await work();
      await after(ms);
    });
    found.push({ thing, pages, ...combined(all, none, (total) => total / count) });
  };
  for (const [before, pages] of [
    [0, 2],
    [2, most],
  ] as const) {
    const some = tokens.splice(0, pages - before);
    const join = async () => {
      if (before === 0) await writer.open({ ...opening, tokens: some.splice(0, 1) });
      await others.open({ ...opening, tokens: some });
    };
    if (hasCursors) {
      await join();
      await after(settleMs);
      await each("cursor", pages, changes, settleMs, () => writer.share(changes, 400));
      continue;
    }
    // They come one after another: half of them are there at the median.
    await each("join", (before + 1 + pages) / 2, pages - before, lateMs, join);
    const ids = Array.from({ length: changes }, (_, index) => `h${pages}-${index}`);
    await each("comment", pages, changes, settleMs, () => writer.comment(ids, 300));
    await each("keystroke", pages, changes, settleMs, () => writer.type(changes, 300));
    await each("renewal", pages, pages - 1, settleMs, () => others.renew());
  }
  for (const one of groups) one.end();
  return found;
}

/** A count is a line over the number of pages. A page that comes or renews makes its own calls, however many there are. */
function among(pages: number, all: readonly Sample[], thing: Thing): Counted {
  const [few, many] = all.filter((each) => each.thing === thing) as [Sample, Sample];
  const share = (pages - few.pages) / (many.pages - few.pages);
  const line = combined(few, many, (one, other) => Math.max(0, one + (other - one) * share));
  if (thing !== "join" && thing !== "renewal") return line;
  const mean = combined(few, many, (one, other) => (one + other) / 2);
  return { ...mean, operations: line.operations };
}

interface Hour {
  hour: string;
  /** Pages that are open on one document, and for how many minutes of the hour. */
  pages: number;
  minutes: number;
  comments?: number;
  /** Batches of keystrokes that are stored. */
  keystrokes?: number;
  /** Cursors that are sent. */
  cursors?: number;
  joins: number;
}

const hours: readonly Hour[] = [
  { hour: "nobody is there", pages: 0, minutes: 0, joins: 0 },
  { hour: "a night with ten tabs open: hidden, they close after a minute", pages: 10, minutes: 0, joins: 0 },
  { hour: "ten tabs in sight, and nothing happens", pages: 10, minutes: 60, joins: 0 },
  {
    hour: "two people write for ten minutes",
    pages: 2,
    minutes: 60,
    comments: 5,
    keystrokes: 1_200,
    cursors: 1_200,
    joins: 2,
  },
  { hour: "five people review with 60 comments", pages: 5, minutes: 60, comments: 60, joins: 5 },
  {
    hour: "a meeting of eight, with cursors for ten minutes",
    pages: 8,
    minutes: 60,
    comments: 10,
    keystrokes: 600,
    cursors: 4_800,
    joins: 8,
  },
  {
    hour: "20 readers, and two who write for ten minutes",
    pages: 22,
    minutes: 60,
    comments: 10,
    keystrokes: 1_200,
    joins: 22,
  },
  { hour: "100 readers, and one who writes for ten minutes", pages: 101, minutes: 60, keystrokes: 600, joins: 101 },
  { hour: "1,000 readers, and ten comments", pages: 1_001, minutes: 60, comments: 10, joins: 1_001 },
  { hour: "1,000 readers lose their connections once", pages: 1_000, minutes: 60, joins: 1_000 },
];

const [renewSeconds, aliveSeconds] = [120, 15];
/** Of each window, the names of the document's two channels. */
const channelsOfWindow = 2;
const memoryMb = 512;

const usageOf = (name: string, { calls, ...of }: Counted): Usage => ({
  ...{ name, memoryMb, kmsCalls: 0, fileReads: 0, fileWrites: 0, queueSends: 0 },
  ...{ trips: of.trips / calls, readUnits: of.readUnits / calls, writeUnits: of.writeUnits / calls },
});

export async function hourFigures(service: Service, client: string, most: number, changes: number) {
  const all = [
    ...(await samples(service, client, most, changes, false)),
    ...(await samples(service, client, most, changes, true)),
  ];
  const rows = hours.map(({ hour, pages, minutes, comments = 0, keystrokes = 0, cursors = 0, joins }) => {
    const thing = (name: Thing) => among(pages, all, name);
    const renewals = (pages * minutes * 60) / renewSeconds;
    const windows = (pages * minutes * 60_000) / windowMs;
    const subscriptions = { ...none, operations: channelsOfWindow, authorizations: channelsOfWindow };
    const alive = cursors > 0 ? (pages * minutes * 60) / aliveSeconds : 0;
    const parts = [
      [thing("comment"), comments],
      [thing("keystroke"), keystrokes],
      [thing("cursor"), cursors + alive],
      // They come one after another: half of them are there at the median.
      [among((pages + 1) / 2, all, "join"), joins],
      // The subscriptions to new names are counted below.
      [{ ...thing("renewal"), operations: 0, authorizations: 0 }, renewals],
      [subscriptions, windows],
    ] as const;
    const total = parts.reduce((sum, [each, times]) => plus(sum, each, times), none);
    // A hidden tab stays for a minute.
    const connectionMinutes = pages * Math.max(minutes, 1) * Number(pages > 0);
    const calls = total.calls > 0 ? (ofCalls(usageOf("live", total)) * total.calls) / 1e6 : 0;
    const authorizer = { ...usageOf("live-authorize", { ...none, calls: 1 }), trips: 0 };
    const ofAuthorizer = (ofCalls(authorizer) / 1e6 - priced("apiCall", 1)) * total.authorizations;
    const engine = priced("liveOperation", total.operations) + priced("liveMinute", connectionMinutes);
    return {
      hour,
      pages,
      "API calls": Math.round(total.calls),
      "read units": Math.round(total.readUnits),
      "write units": Math.round(total.writeUnits),
      "engine operations": Math.round(total.operations),
      "connection minutes": connectionMinutes,
      "authorizer calls": Math.round(total.authorizations),
      $: rounded(calls + ofAuthorizer + engine, 5),
      "of it engine $": rounded(engine, 5),
    };
  });
  const things = all.map((each) => ({ ...each, ...combined(each, none, (count) => rounded(count, 2)) }));
  return { things, rows };
}
