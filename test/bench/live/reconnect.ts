// All pages of a document lose their connections at the same moment. Measured: when each page is live again, and the
// calls until then.
import { chunks } from "../../../lib/concurrency.ts";
import type { Pages } from "./latency.ts";
import type { CallLine, Service } from "./processes.ts";
import { after } from "./times.ts";

const waitMs = 300_000;
/** A page that has joined reads again after 30 seconds. */
const lateMs = 36_000;
/** Seconds of a row. */
const rowSeconds = 5;

export async function reconnects(service: Service, pages: readonly Pages[]) {
  service.lines();
  const cuts = await Promise.all(pages.map(({ group }) => group.cut(waitMs)));
  await after(lateMs);
  const at = Math.min(...cuts.map((each) => each.at));
  const live = cuts.flatMap((each) => each.live);
  const lines = service.lines();
  const expected = pages.reduce((sum, { count }) => sum + count, 0);
  const inSecond = (times: readonly number[], second: number) =>
    times.filter((time) => Math.floor((time - at) / 1_000) === second).length;
  const timesOf = (isMeant: (line: CallLine) => boolean) => lines.filter(isMeant).map((each) => each.at);
  const openings = timesOf(({ endpoint }) => endpoint === "live-open");
  const all = timesOf(() => true);
  const refused = timesOf(({ status }) => status !== "OK");
  const last = Math.floor((Math.max(at, ...live, ...all) - at) / 1_000);
  const seconds = Array.from({ length: last + 1 }, (_, second) => ({
    second,
    live: inSecond(live, second),
    openings: inSecond(openings, second),
    calls: inSecond(all, second),
    refused: inSecond(refused, second),
  }));
  const most = (of: "live" | "openings" | "calls") => Math.max(...seconds.map((each) => each[of]));
  return {
    pages: expected,
    "not live in 5 minutes": expected - live.length,
    "all live after s": Number(((Math.max(at, ...live) - at) / 1_000).toFixed(1)),
    calls: all.length,
    refused: refused.length,
    "calls a page": Number((all.length / expected).toFixed(1)),
    "most calls in a second": most("calls"),
    "share in a second": Number((most("calls") / all.length).toFixed(2)),
    seconds: rowsOf(seconds),
  };
}

type Counts = Record<"second" | "live" | "openings" | "calls" | "refused", number>;

/** The sums of five seconds each, by the first of them. */
function rowsOf(seconds: readonly Counts[]): Counts[] {
  return chunks(seconds, rowSeconds).map((some) => {
    const sum = (of: keyof Counts) => some.reduce((total, each) => total + each[of], 0);
    return {
      second: some[0]?.second ?? 0,
      ...{ live: sum("live"), openings: sum("openings"), calls: sum("calls"), refused: sum("refused") },
    };
  });
}
