// A picture that compares a few measurements: one bar for each, with its name and its value.
import * as Plot from "@observablehq/plot";
import { type Picture, widthFor } from "./draw.ts";
import { shown } from "./numbers.ts";
import { type Colour, of } from "./theme.ts";

export interface Bar {
  name: string;
  value: number;
  colour: Colour;
}

export interface Bars {
  title: string;
  facts: readonly string[];
  /** Title of the axis, with the unit. */
  x: string;
  bars: readonly Bar[];
}

export function bars({ title, facts, x, bars }: Bars): Picture {
  const at = { x: "value", y: "name" };
  return {
    title,
    facts,
    description: `${x}. ${bars.map(({ name, value }) => `${name}: ${shown(value)}.`).join(" ")}`,
    height: 66 + bars.length * 38,
    options: {
      marginTop: 12,
      marginLeft: widthFor(bars.map(({ name }) => name)),
      marginRight: 56,
      x: { label: x, nice: true, ticks: 5, grid: true, labelAnchor: "center", labelArrow: "none", zero: true },
      y: { label: null, domain: bars.map(({ name }) => name), tickSize: 0 },
      marks: [
        Plot.barX(bars, { ...at, fill: ({ colour }: Bar) => of(colour), insetTop: 3, insetBottom: 3 }),
        Plot.text(bars, { ...at, text: ({ value }: Bar) => shown(value), dx: 6, textAnchor: "start" }),
      ],
    },
  };
}
