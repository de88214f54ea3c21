// Pictures of large.json: the cost of calls and of their jobs, for growing amounts of data.
import type { Picture } from "./draw.ts";
import type { Figures } from "./figures.ts";
import { growth, type Line } from "./growth.ts";
import { shown, times } from "./numbers.ts";

type Curve = Figures["large"]["curves"][number];

const unitsOf = ({ readUnits, writeUnits }: { readUnits: number; writeUnits: number }) => readUnits + writeUnits;
const shortNames: Record<string, string> = {
  "fan-out to recipients": "notification",
  "purge of reactions": "deletion",
  "migration with grants that follow": "migration",
  "merge of two locations": "merge",
  "export, its last page of 100": "page of an export",
};

function linesOf(curves: readonly Curve[], y: (curve: Curve) => number | undefined): Line[] {
  return [...Map.groupBy(curves, ({ name }) => name)].flatMap(([name, own]) => {
    const points = own.flatMap((curve) => {
      const value = y(curve);
      return value === undefined ? [] : [{ x: curve.size, y: value }];
    });
    return points.length > 0 ? [{ name: shortNames[name] ?? name, points }] : [];
  });
}

/** The largest ratio between a line's last point and its point at `base`. */
function most(lines: readonly Line[], base: number): string {
  const ratios = lines.map(({ points }) => {
    return (points.at(-1)?.y ?? Number.NaN) / (points.find(({ x }) => x === base)?.y ?? Number.NaN);
  });
  return times(Math.max(...ratios), 1);
}

export function largeCalls({ curves }: Figures["large"]): Picture {
  const lines = linesOf(curves, ({ call }) => unitsOf(call));
  const [least, largest] = [Math.min(...curves.map(({ size }) => size)), Math.max(...curves.map(({ size }) => size))];
  return growth({
    title: "Cost of a call that affects many items",
    facts: [
      `A call for ${shown(largest)} items takes at most ${most(lines, least)} the units of one for ${shown(least)}.`,
      "Its jobs do the rest later.",
    ],
    x: "items that the call affects",
    y: { title: "DynamoDB request units of the call", isLog: true },
    lines,
  });
}

export function largeJobs({ curves }: Figures["large"]): Picture {
  const lines = linesOf(curves, ({ size, jobs }) => jobs && unitsOf(jobs) / size);
  const largest = Math.max(...curves.map(({ size }) => size));
  return growth({
    title: "Cost of the jobs of a call, for each item",
    facts: [`Each of ${shown(largest)} items takes at most ${most(lines, 1_000)} the units that each of 1,000 takes.`],
    x: "items that the call affects",
    y: { title: "DynamoDB request units for each item" },
    lines,
  });
}
