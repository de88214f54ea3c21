// A picture of costs that grow, or do not grow, with a size: one line for each cost, with its name at its end.
import * as Plot from "@observablehq/plot";
import { margins, type Picture, widthFor } from "./draw.ts";
import { shown } from "./numbers.ts";
import { of, series } from "./theme.ts";
import { linearTicks, logTicks } from "./ticks.ts";

export interface Line {
  name: string;
  points: readonly { x: number; y: number }[];
}

export interface Growth {
  title: string;
  facts: readonly string[];
  /** Title of the horizontal axis, which is logarithmic. */
  x: string;
  y: { title: string; isLog?: boolean };
  lines: readonly Line[];
}

const height = 304;
/** Names that are closer would overlap. */
const nameHeight = 17;

export function growth({ title, facts, x, y, lines }: Growth): Picture {
  const values = lines.flatMap(({ points }) => points.map((point) => point.y));
  const ticks = y.isLog ? logTicks(values) : linearTicks(values);
  const range = [height - margins.bottom, margins.top];
  const scale = { type: y.isLog ? "log" : "linear", domain: [ticks[0], ticks.at(-1)], range } as const;
  const { apply } = Plot.scale({ y: scale }) as { apply: (value: number) => number };
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map((point) => point.x)))];
  const wanted = lines.map(({ points }) => apply(points.at(-1)?.y ?? 0));
  const places = spread(wanted);
  const drawn = lines.flatMap((line, index) => marksOf(line, index, (places[index] ?? 0) - (wanted[index] ?? 0)));
  return {
    title,
    facts,
    description: lines.map((line) => described(line, x)).join(" "),
    height,
    options: {
      marginRight: widthFor(lines.map(nameOf)) + 8,
      x: { type: "log", label: x, ticks: sizes, tickFormat: shown, labelAnchor: "center", labelArrow: "none" },
      y: { ...scale, label: y.title, ticks, tickFormat: shown, labelArrow: "none", grid: true },
      marks: drawn,
    },
  };
}

/** A line's name, with its value at the end of the line. */
const nameOf = ({ name, points }: Line) => `${name}: ${shown(points.at(-1)?.y ?? 0)}`;

function marksOf({ name, points }: Line, index: number, dy: number) {
  const colour = of(series[index] ?? "ink");
  const last = points.slice(-1);
  const text = nameOf({ name, points });
  return [
    Plot.line(points, { x: "x", y: "y", stroke: colour, strokeWidth: 2.5 }),
    Plot.dot(points, { x: "x", y: "y", r: 4, fill: colour }),
    Plot.text(last, { x: "x", y: "y", text: () => text, dx: 12, dy, textAnchor: "start", fill: colour }),
  ];
}

const described = ({ name, points }: Line, x: string) =>
  `${name}: ${points.map((point) => `${shown(point.y)} at ${shown(point.x)}`).join(", ")} (${x}).`;

/** Moves places apart that are closer than a name is high, and keeps their order. */
function spread(places: readonly number[]): number[] {
  const moved = [...places];
  const order = moved.map((_, index) => index).sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0));
  for (let round = 0; round < 100; round++) {
    for (const [position, below] of order.entries()) {
      const above = order[position - 1];
      if (above === undefined) continue;
      const missing = nameHeight - ((moved[below] ?? 0) - (moved[above] ?? 0));
      if (missing <= 0) continue;
      moved[above] = (moved[above] ?? 0) - missing / 2;
      moved[below] = (moved[below] ?? 0) + missing / 2;
    }
  }
  return moved;
}
