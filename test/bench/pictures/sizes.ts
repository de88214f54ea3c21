// The picture of sizes.json: what more memory of a function gives and costs.
import * as Plot from "@observablehq/plot";
import type { Picture } from "./draw.ts";
import type { Figures } from "./figures.ts";
import { listOf, shown, times } from "./numbers.ts";
import { of, series } from "./theme.ts";
import { linearTicks, logTicks } from "./ticks.ts";

const axis = { labelArrow: "none", grid: true } as const;

export function memorySizes({ rows }: Figures["sizes"]): Picture {
  const points = rows.map((row) => ({
    what: row.what,
    mb: row.MB,
    ms: Number(row["later calls ms"]),
    dollars: Number(row["$ a million"]),
  }));
  const sizes = [...new Set(points.map(({ mb }) => shown(mb)))];
  const [timeTicks, priceTicks] = [
    logTicks(points.map(({ ms }) => ms)),
    linearTicks(points.map(({ dollars }) => dollars)),
  ];
  const middleMs = Math.sqrt((timeTicks[0] ?? 1) * (timeTicks.at(-1) ?? 1));
  const groups = [...Map.groupBy(points, ({ what }) => what)];
  const facts = groups.map(([what, own]) => {
    const [least, most] = [own[0], own.at(-1)];
    if (!least || !most) throw new Error(`sizes.json has no rows of ${what}.`);
    const [speed, price] = [times(least.ms, most.ms), times(most.dollars, least.dollars)];
    return `${shown(most.mb)} instead of ${shown(least.mb)} MB: ${what} is ${speed} as fast, at ${price} the price.`;
  });
  const marks = groups.flatMap(([what, own], index) => {
    const colour = of(series[index] ?? "ink");
    const [first, last] = [own.slice(0, 1), own.slice(-1)];
    const at = { x: "ms", y: "dollars", fill: colour };
    const isLeft = (first[0]?.ms ?? 0) < middleMs;
    const side = isLeft ? ({ textAnchor: "start", dx: -8 } as const) : ({ textAnchor: "end", dx: 8 } as const);
    return [
      Plot.line(own, { x: "ms", y: "dollars", stroke: colour, strokeWidth: 2.5 }),
      Plot.dot(own, { ...at, r: 4 }),
      Plot.text(first, { ...at, ...side, text: ({ mb }) => `${shown(mb)} MB\n${what}`, dy: 28, lineHeight: 1.3 }),
      Plot.text(last, { ...at, text: ({ mb }) => `${shown(mb)} MB`, dy: -16 }),
    ];
  });
  return {
    title: "Memory of a function: time and price of its calls",
    facts: [...facts, `The dots are ${listOf.format(sizes)} MB.`],
    description: points
      .map(({ what, mb, ms, dollars }) => `${what}, ${shown(mb)} MB: ${shown(ms)} ms, ${shown(dollars)} dollars.`)
      .join(" "),
    height: 320,
    options: {
      x: {
        type: "log",
        domain: [timeTicks[0], timeTicks.at(-1)],
        ticks: timeTicks,
        tickFormat: shown,
        label: "time of a warm call, ms, computed from its CPU time",
        labelAnchor: "center",
        ...axis,
      },
      y: { domain: [0, priceTicks.at(-1)], ticks: priceTicks, label: "Lambda, $ for a million calls", ...axis },
      marks,
    },
  };
}
