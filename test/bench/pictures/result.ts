// Pictures of result.json: bundles, cold calls and warm calls, beside those of their peers.
import * as Plot from "@observablehq/plot";
import { type Bar, bars } from "./bars.ts";
import type { Picture } from "./draw.ts";
import type { Figures } from "./figures.ts";
import { listOf, shown, times } from "./numbers.ts";
import { of } from "./theme.ts";
import { linearTicks } from "./ticks.ts";

type Result = Figures["result"];

/** The same call, built in different ways. */
const peers = {
  empty: "An empty function",
  ours: "This project",
  plain: "AWS SDK, zod and jose",
  express: "The same on Express",
};
const peerNames = ["plain", "express"] as const;

function startOf({ starts }: Result, name: string) {
  const found = starts.find((each) => each.name === name);
  if (!found) throw new Error(`result.json has no start of ${name}.`);
  return found;
}

const inKb = (bytes: number | undefined) => (bytes ?? 0) / 1_000;

export function bundles(result: Result): Picture {
  const marked = peerNames.map((name) => ({ name: peers[name], kb: inKb(startOf(result, name).bytes) }));
  const functions = result.sizes.map(({ name, bytes }) => ({ name, kb: inKb(bytes) }));
  const sorted = functions.toSorted((one, other) => one.kb - other.kb);
  const ticks = linearTicks([...sorted, ...marked].map(({ kb }) => kb));
  const least = Math.min(...marked.map(({ kb }) => kb));
  const large = sorted.filter(({ kb }) => kb > least);
  const few = sorted.length - large.length;
  return {
    title: "Size of the bundle of each function, KB",
    facts: [
      `${few} of ${sorted.length} bundles are smaller than one call on AWS SDK, zod and jose, bundled with the defaults.`,
      ...(large.length > 0 ? [`The others: ${listOf.format(large.map(({ name }) => name))}.`] : []),
    ],
    description: sorted.map(({ name, kb }) => `${name}: ${shown(kb)} KB.`).join(" "),
    height: 290,
    options: {
      marginTop: 24,
      x: { domain: sorted.map(({ name }) => name), axis: null, padding: 0.3 },
      y: { label: null, domain: [0, ticks.at(-1)], ticks, grid: true },
      marks: [
        Plot.barY(sorted, { x: "name", y: "kb", fill: of("a") }),
        Plot.ruleY(marked, { y: "kb", stroke: of("b"), strokeDasharray: "5 4", strokeWidth: 1.5 }),
        Plot.text(marked, {
          ...{ y: "kb", frameAnchor: "left", dx: 6, dy: 12, fill: of("b") },
          text: ({ name, kb }) => `${name}: ${shown(kb)} KB`,
        }),
        Plot.text([`the ${sorted.length} functions, by size`], { frameAnchor: "bottom", dy: 24 }),
        Plot.ruleY([0]),
      ],
    },
  };
}

export function coldCalls(result: Result): Picture {
  const cold = (name: string) => startOf(result, name).coldMs ?? 0;
  const [ours, plain, express] = [cold("ours"), cold("plain"), cold("express")];
  return bars({
    title: "Cold call: CPU time of a new process until its first reply",
    facts: [
      "Each but the empty one reads the table once, validates the request and signs a token.",
      `This project takes ${times(ours, plain)} the time of AWS SDK, zod and jose, and ${times(ours, express)} that of Express.`,
    ],
    x: "CPU time, ms",
    bars: Object.entries(peers).map(([name, label]): Bar => {
      return { name: label, value: cold(name), colour: name === "ours" ? "a" : "muted" };
    }),
  });
}

export function warmCalls({ warm }: Result): Picture {
  const rows = warm.flatMap(({ calls, oursMicros, byHandMicros }): Bar[] => [
    { name: `By hand, ${shown(calls)} calls`, value: byHandMicros, colour: "muted" },
    { name: `This project, ${shown(calls)} calls`, value: oursMicros, colour: "a" },
  ]);
  const facts = warm.map(({ calls, oursMicros, byHandMicros }) => {
    return `In a process of ${shown(calls)} calls, this project takes ${times(oursMicros, byHandMicros)} the time of a function by hand.`;
  });
  return bars({
    title: "Warm call: CPU time of users-get, without its waits",
    facts: ["The function by hand does only the necessary work of this call.", ...facts],
    x: "CPU time of a call, µs",
    bars: rows,
  });
}
