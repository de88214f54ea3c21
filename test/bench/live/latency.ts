// How soon others see a change, for a growing number of pages of one document.
import { type Group, newGroup, type Service } from "./processes.ts";
import { newScene } from "./scene.ts";
import { after, rounded, spread } from "./times.ts";

/** Pages of one process. */
const groupMax = 250;
/** Each page reads again so long after it has joined. */
const lateMs = 31_000;
/** A page that opens makes nine calls in 30 s, and one process answers them beside those of all pages. */
const opensPerSecond = 3;
const waitMs = 120_000;

export interface Pages {
  group: Group;
  count: number;
}

export interface Sizes {
  subscribers: readonly number[];
  /** How many comments, and as many keystrokes. */
  changes: number;
}

/** Among many pages, a change takes so long that few are enough. */
const changesAmong = (pages: number, changes: number) => Math.max(5, Math.min(changes, Math.round(2_000 / pages)));

/** How long each of the pages took to show each of the changes. */
export async function shownAfter(pages: readonly Pages[], at: Record<string, number>) {
  const names = Object.keys(at);
  const shown = await Promise.all(pages.map(({ group, count }) => group.shown(names, count, waitMs)));
  const took = shown.flatMap((of) => names.flatMap((name) => (of[name] ?? []).map((to) => to - (at[name] ?? 0))));
  const expected = names.length * pages.reduce((sum, { count }) => sum + count, 0);
  return { ...spread(took), missing: expected - took.length };
}

export async function latencies(service: Service, client: string, { subscribers, changes }: Sizes) {
  const most = Math.max(...subscribers);
  const { place, tokens } = await newScene(service, "read", most + 1);
  const opening = { kind: "ours", url: service.url, client, place, parts: ["text", "comments"] } as const;
  const writer = newGroup();
  await writer.open({ ...opening, tokens: tokens.splice(0, 1) });
  const pages: Pages[] = [];
  const rows = [];
  for (const size of subscribers) {
    const before = most - tokens.length;
    for (let left = size - before; left > 0; left -= groupMax) {
      const some = tokens.splice(0, Math.min(left, groupMax));
      const group = newGroup();
      await group.open({ ...opening, tokens: some }, opensPerSecond);
      pages.push({ group, count: some.length });
    }
    if (size >= 100) await after(lateMs);
    service.lines();
    const count = changesAmong(size, changes);
    const names = Array.from({ length: count }, (_, index) => `c${size}-${index}`);
    const { added, took } = await writer.comment(names, 200);
    const comment = await shownAfter(pages, added);
    const keystroke = await shownAfter(pages, await writer.type(count, 300));
    const calls = service.lines();
    const refused = calls.filter(({ status }) => status === "RESOURCE_EXHAUSTED").length;
    rows.push({
      pages: size,
      ...{ "comment p50 ms": comment.p50, "comment p99 ms": comment.p99, "stored p50 ms": spread(took).p50 },
      ...{ "keystroke p50 ms": keystroke.p50, "keystroke p99 ms": keystroke.p99 },
      "not shown": comment.missing + keystroke.missing,
      "calls a change": rounded(calls.length / (2 * count)),
      refused,
    });
  }
  const end = () => [writer, ...pages.map(({ group }) => group)].forEach((each) => void each.end());
  return { rows, pages, end };
}
