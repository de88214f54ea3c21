// Compares our service with the server of y-websocket and with Hocuspocus, by the same pages: how soon others see a
// change, how many bytes it takes, and what a killed server loses. Both others keep documents in memory only. That is
// their documented default.
import { freePort } from "../../support/free-port.ts";
import { shownAfter } from "./latency.ts";
import type { Opening } from "./pages.ts";
import { type Group, newGroup, type Service, startPeer } from "./processes.ts";
import { newScene } from "./scene.ts";
import { after, clock, rounded, spread } from "./times.ts";

export interface PeerSizes {
  readers: number;
  /** How many comments, and as many keystrokes. */
  changes: number;
  kills: number;
}

type Kind = Opening["kind"];

/** A server of one kind, with a document that nobody has opened yet. */
interface Arena {
  kind: Kind;
  /** How to open pages of different users. */
  opening(count: number): Opening;
  /** How long calls of an endpoint took since the last question, at the median. */
  callMs?(...endpoints: string[]): number[];
  kill(): Promise<void>;
  again(): Promise<void>;
  stop(): Promise<void>;
}

async function ofOurs(service: Service, client: string, document: string, users: number): Promise<Arena> {
  const { place, tokens } = await newScene(service, document, users);
  return {
    kind: "ours",
    opening: (count) => {
      const some = tokens.splice(0, count);
      return { kind: "ours", url: service.url, client, place, parts: ["text", "comments"], tokens: some };
    },
    callMs(...endpoints) {
      const lines = service.lines();
      const timesOf = (name: string) =>
        lines.filter(({ endpoint }) => endpoint === name).map((each) => each.durationMs);
      return endpoints.map((name) => spread(timesOf(name)).p50);
    },
    kill: service.kill,
    again: service.again,
    stop: async () => {},
  };
}

async function ofPeer(kind: "y-websocket" | "hocuspocus"): Promise<Arena> {
  const port = await freePort();
  let running = await startPeer(kind, port);
  return {
    kind,
    opening: (count) => ({ kind, url: running.url, parts: [], count }),
    kill: () => running.kill(),
    async again() {
      running = await startPeer(kind, port);
    },
    stop: () => running.kill(),
  };
}

async function speed(arena: Arena, { readers, changes }: PeerSizes) {
  const [writer, group] = [newGroup(), newGroup()];
  await writer.open(arena.opening(1));
  await group.open(arena.opening(readers), 50);
  await after(1_000);
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const bytes = async () => (await writer.bytes()) + (await group.bytes());
  const pages = [{ group, count: readers }];
  const measured = async (work: () => Promise<Record<string, number>>) => {
    const before = await bytes();
    const shown = await shownAfter(pages, await work());
    return { ...shown, bytes: Math.round(((await bytes()) - before) / changes) };
  };
  // The first ones open connections and compile code.
  await shownAfter(pages, (await writer.comment(names("warm", 3), 200)).added);
  await shownAfter(pages, await writer.type(3, 200));
  const comment = await measured(async () => (await writer.comment(names("c", changes), 150)).added);
  arena.callMs?.();
  const keystroke = await measured(() => writer.type(changes, 200));
  const [storeMs, readMs] = arena.callMs?.("crdt-update", "crdt-get") ?? [];
  for (const each of [writer, group]) each.end();
  return { comment, keystroke, storeMs, readMs };
}

/** One writes; the server is killed in the middle. What had been acknowledged or shown then, and what is there after it. */
async function killed(arena: Arena, stay: boolean) {
  const groups = [newGroup(), newGroup()] as [Group, Group];
  const [writer, reader] = groups;
  for (const each of groups) await each.open(arena.opening(1));
  await writer.type(20, 60);
  await writer.comment(["k1", "k2", "k3"], 100);
  await after(300);
  // While one types.
  const typing = writer.type(20, 60);
  await after(500);
  const [seen] = await reader.text();
  const [own] = await writer.text();
  await arena.kill();
  const at = clock();
  const acknowledged = own?.isStored ? own.length : 0;
  const known = Math.max(seen?.length ?? 0, acknowledged);
  await typing;
  if (!stay) for (const each of groups) each.end();
  await arena.again();
  const upAt = clock();
  let recovery = 0;
  if (stay) {
    // All of it is on the other page again.
    const all = (await writer.text())[0]?.length ?? 0;
    await reader.shown([`t${all}`], 1, 40_000);
    recovery = clock() - upAt;
  }
  const late = newGroup();
  await late.open(arena.opening(1));
  const [found] = await late.text();
  const comments = await late.shown(["k1", "k2", "k3"], 1, 1_000);
  const kept = Object.values(comments).filter((times) => times.length > 0).length;
  for (const each of [late, ...(stay ? groups : [])]) each.end();
  return { known: known + 3, lost: Math.max(0, known - (found?.length ?? 0)) + 3 - kept, downMs: upAt - at, recovery };
}

export async function peerFigures(service: Service, client: string, sizes: PeerSizes) {
  const rows = [];
  const losses = [];
  for (const kind of ["ours", "y-websocket", "hocuspocus"] as const) {
    const arenaOf = (document: string) =>
      kind === "ours" ? ofOurs(service, client, document, sizes.readers + 4) : ofPeer(kind);
    const arena = await arenaOf("peers");
    const { comment, keystroke, storeMs, readMs } = await speed(arena, sizes);
    await arena.stop();
    rows.push({
      server: kind,
      ...{ "comment p50 ms": comment.p50, "comment p99 ms": comment.p99 },
      ...{ "keystroke p50 ms": keystroke.p50, "keystroke p99 ms": keystroke.p99 },
      // Before it is stored, it waits up to 100 ms for others.
      ...(storeMs !== undefined && { "stored in ms": storeMs, "read in ms": readMs }),
      ...{ "bytes a comment": comment.bytes, "bytes a keystroke": keystroke.bytes },
      "not shown": comment.missing + keystroke.missing,
    });
    for (const stay of [true, false]) {
      const total = { server: kind, pages: stay ? "stay open" : "are closed", known: 0, lost: 0 };
      const recoveries = [];
      for (let each = 0; each < sizes.kills; each++) {
        const killing = await arenaOf(`kill-${stay}-${each}`);
        const { known, lost, recovery } = await killed(killing, stay);
        await killing.stop();
        total.known += known;
        total.lost += lost;
        recoveries.push(recovery);
      }
      losses.push({ ...total, ...(stay && { "shown again after ms": rounded(spread(recoveries).p50, 0) }) });
    }
  }
  return { rows, losses };
}
