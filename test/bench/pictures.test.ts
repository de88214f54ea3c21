import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { drawn, figuresOf, names } from "./pictures/all.ts";
import { colours } from "./pictures/theme.ts";
import { linearTicks, logTicks } from "./pictures/ticks.ts";

const folder = new URL(".", import.meta.url);
const committed = readdirSync(folder).filter((file) => file.endsWith(".svg"));
const all = new Map(names.flatMap((name) => [...drawn(name)]));

it("each JSON file of the benchmark has pictures, and each picture a JSON file", () => {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  expect(names.map((name) => `${name}.json`).sort()).toEqual(files.sort());
  expect([...all.keys()].sort()).toEqual(committed.sort());
});

describe.each([...all])("%s", (file, svg) => {
  it("shows the committed figures (else run `npm run pictures`)", () => {
    expect(readFileSync(new URL(file, folder), "utf8")).toBe(svg);
  });

  it("has a title and a description, and stays small", () => {
    expect(svg).toMatch(/<title id="title">[A-Z][^<]+<\/title>\n<desc id="desc">[^<]+<\/desc>/);
    expect(svg.length).toBeLessThan(30_000);
  });

  it("loads nothing, runs nothing, and shows a number in each place", () => {
    expect(svg).not.toMatch(/<script|<image|@import|@font-face|url\(|\bhref=|\bon\w+=/);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe("figures of `npm run bench -- --quick`", () => {
  const isSmall = (row: object) => !Object.values(row).includes(100_000);

  it.each(names)("of %s have pictures too, with a number in each place", (name) => {
    const figures = figuresOf(name);
    const lists = Object.entries(figures).filter(([key]) => key !== "warm");
    for (const [key, list] of lists) if (Array.isArray(list)) Object.assign(figures, { [key]: list.filter(isSmall) });
    if ("ndcg" in figures) figures.ndcg = undefined;
    for (const svg of drawn(name, figures).values()) expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe("ticks", () => {
  it.each([
    [logTicks, [11, 117], [5, 10, 20, 50, 100, 200]],
    [logTicks, [12, 15_944], [10, 100, 1_000, 10_000, 100_000]],
    [logTicks, [10, 15_944], [1, 10, 100, 1_000, 10_000, 100_000]],
    [logTicks, [0.2, 0.9], [0.1, 0.2, 0.5, 1]],
    [linearTicks, [3, 107], [0, 20, 40, 60, 80, 100, 120]],
    [linearTicks, [0.25, 1.08], [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2]],
  ])("%o(%j) are %j: all values are between them", (ticksOf, values, ticks) => {
    expect(ticksOf(values)).toEqual(ticks);
  });
});

describe.each([
  ["light", "#ffffff"],
  ["dark", "#0d1117"],
] as const)("the %s colours", (scheme, page) => {
  it.each(Object.entries(colours[scheme]))("%s is legible as text", (_, colour) => {
    const [light, dark] = [luminance(colour), luminance(page)].sort((one, other) => other - one) as [number, number];
    expect((light + 0.05) / (dark + 0.05)).toBeGreaterThan(4.5);
  });
});

/** The relative luminance of WCAG 2.2. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
