// Pictures of live.json: how soon pages show a change, also beside y-websocket and Hocuspocus, and how pages come back
// after all have lost their connections.
import * as Plot from "@observablehq/plot";
import { bars } from "./bars.ts";
import type { Picture } from "./draw.ts";
import type { Figures } from "./figures.ts";
import { growth, type Line } from "./growth.ts";
import { shown } from "./numbers.ts";
import { of } from "./theme.ts";

type Live = Figures["live"];

export function liveLatency({ latencies }: Live): Picture {
  const lineOf = (name: string, value: (row: Live["latencies"][number]) => number): Line => ({
    name,
    points: latencies.map((row) => ({ x: row.pages, y: value(row) })),
  });
  const missing = latencies.reduce((sum, row) => sum + row["not shown"], 0);
  return growth({
    title: "Time until the pages of a document show a change",
    facts: [
      missing === 0 ? "Each page showed each change." : `${shown(missing)} changes were not shown on a page in 45 s.`,
      "Each page reads what has changed: all pages, service and table share one machine.",
    ],
    x: "pages that have the document open",
    y: { title: "time, ms", isLog: true },
    lines: [
      lineOf("keystroke, 99 %", (row) => row["keystroke p99 ms"]),
      lineOf("keystroke, half", (row) => row["keystroke p50 ms"]),
      lineOf("comment, 99 %", (row) => row["comment p99 ms"]),
      lineOf("comment, half", (row) => row["comment p50 ms"]),
    ],
  });
}

export function liveReconnects({ reconnect }: Live): Picture {
  const { seconds } = reconnect;
  const lost = reconnect["not live in 5 minutes"];
  const kinds = [
    { name: "calls", colour: of("a"), value: ({ calls }: (typeof seconds)[number]) => calls },
    { name: "refused", colour: of("b"), value: ({ refused }: (typeof seconds)[number]) => refused },
    { name: "pages live again", colour: of("c"), value: ({ live }: (typeof seconds)[number]) => live },
  ];
  const marks = kinds.flatMap(({ name, colour, value }, index) => [
    Plot.lineY(seconds, { x: "second", y: value, stroke: colour, strokeWidth: 2.5, curve: "step" }),
    Plot.text([name], { frameAnchor: "top-right", dy: index * 18, text: [name], fill: colour, fontWeight: "bold" }),
  ]);
  return {
    title: `Reconnect of ${shown(reconnect.pages)} pages at the same time`,
    facts: [
      `${lost === 0 ? "All" : `All but ${shown(lost)}`} are live again after ${shown(reconnect["all live after s"])} s.`,
      `A page makes ${shown(reconnect["calls a page"])} calls, and no second has more than ${shown(Math.round(reconnect["share in a second"] * 100))} % of them.`,
    ],
    description: seconds
      .filter(({ calls, live }) => calls + live > 0)
      .map(
        ({ second, calls, refused, live }) =>
          `From second ${second}: ${calls} calls, ${refused} refused, ${live} live.`,
      )
      .join(" "),
    height: 280,
    options: {
      x: { label: "seconds after it", labelAnchor: "center", labelArrow: "none" },
      y: { label: "in five seconds", labelArrow: "none", grid: true, zero: true, nice: true },
      marks,
    },
  };
}

const names = { ours: "This service", "y-websocket": "y-websocket", hocuspocus: "Hocuspocus" } as const;

export function livePeers({ peers }: Live): Picture {
  const lost = peers.losses.filter(({ pages }) => pages === "are closed");
  return bars({
    title: "Time until other pages show a keystroke, at the median",
    facts: [
      "This service collects keystrokes for 100 ms and stores them before it tells the pages.",
      "The others, with their defaults, keep them in memory.",
      `After kill -9, with closed pages, changes that were lost: ${lost.map((each) => `${names[each.server]} ${each.lost} of ${each.known}`).join(", ")}.`,
    ],
    x: "ms",
    bars: peers.rows.map((row) => ({
      name: names[row.server],
      value: row["keystroke p50 ms"],
      colour: row.server === "ours" ? "a" : "b",
    })),
  });
}
