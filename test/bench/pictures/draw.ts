// Draws a picture as SVG text: heading, facts, and the marks of Observable Plot.
import { createRequire } from "node:module";
import * as Plot from "@observablehq/plot";
import { of, style } from "./theme.ts";

// Its types would declare the DOM for all code of the project.
const { JSDOM } = createRequire(import.meta.url)("jsdom") as {
  JSDOM: new () => { window: { document: never } };
};
const { document } = new JSDOM().window;

export interface Picture {
  /** What is measured. */
  title: string;
  /** What holds on every machine: ratios between measurements of one run, and exact counts. */
  facts: readonly string[];
  /** All shown numbers, for readers who do not see the picture. */
  description: string;
  /** Height of the marks without the heading. */
  height: number;
  options: Plot.PlotOptions;
}

const width = 600;
/** As many characters fit into a line. */
const lineLength = 84;
const lineHeight = 20;
const titleHeight = 30;

/** The margins of all marks, if a picture does not say otherwise. */
export const margins = { top: 42, right: 20, bottom: 44, left: 72 };

/** Space for the longest of these texts. */
export const widthFor = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length)) * 7.8 + 16;

export function draw({ title, facts, description, height, options }: Picture): string {
  const lines = wrapped(facts.join(" "));
  const head = titleHeight + lines.length * lineHeight + 8;
  const plot = Plot.plot({
    document,
    width,
    height,
    marginTop: margins.top,
    marginRight: margins.right,
    marginBottom: margins.bottom,
    marginLeft: margins.left,
    ...options,
  }) as unknown as { innerHTML: string };
  const texts = lines.map((line, index) => {
    return `<text class="fact" x="2" y="${titleHeight + index * lineHeight + 14}">${escaped(line)}</text>`;
  });
  const size = `width="700" viewBox="0 0 ${width} ${head + height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title desc" fill="${of("ink")}">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="desc">${escaped([...facts, description].join(" "))}</desc>`,
    `<style>${style}</style>`,
    `<text class="title" x="2" y="20">${escaped(title)}</text>`,
    ...texts,
    `<g transform="translate(0,${head})" text-anchor="middle">`,
    short(plot.innerHTML),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Breaks a text into lines of about the same length. */
function wrapped(text: string): string[] {
  const most = text.length / Math.ceil(text.length / lineLength);
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    const longer = `${line} ${word}`.trim();
    if (line.length >= most || longer.length > lineLength) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Without Plot's own style and labels, a mark on each line, with coordinates in tenths of a unit. */
function short(markup: string): string {
  return markup
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/ aria-\w+="[^"]*"/g, "")
    .replace(/="[^"]*"/g, (value) =>
      value.replace(/-?\d+\.\d{2,}/g, (number) => `${Math.round(Number(number) * 10) / 10}`),
    )
    .replace(/<(?=[glpctr])/g, "\n<")
    .trim();
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
