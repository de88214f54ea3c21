import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { clockTime, count, useNow } from "../format.ts";
import "uplot/dist/uPlot.min.css";

export interface Series {
  name: string;
  unit: string;
  /** Seconds since 1970, and the value. */
  points: [number, number][];
}

const height = 56;
const minuteMs = 60_000;

interface PlotProps {
  title: string;
  /** The number that the plot stands for, as text. */
  number: string;
  /** What time the number is about. */
  window: string;
  series: Series[];
  /** The second series is a failure: it gets the colour of one. */
  isBad?: boolean;
}

/** A small plot beside its number; under the pointer, the values of that time. A reader who sees no plot has the number. */
export function Plot({ title, number, window, series, isBad }: PlotProps) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [pointed, setPointed] = useState<string>();
  // A line of zeros would only cover the other line.
  const drawn = series.filter(({ points }, index) => index === 0 || points.some(([, value]) => value > 0));
  const now = useNow();
  const lines = drawn.map(({ points }) => finished(points, now));
  const text = JSON.stringify(lines);
  useEffect(() => {
    const into = element.current;
    if (!into) return;
    // Times can differ: a minute without calls has no latency.
    const data = uPlot.join(lines.map((points) => [points.map(([at]) => at), points.map(([, value]) => value)]));
    if (plot.current?.series.length === data.length) plot.current.setData(data);
    else {
      plot.current?.destroy();
      plot.current = new uPlot(optionsFor(into, drawn.length, isBad, setPointed), data, into);
    }
  }, [text]);
  useEffect(() => {
    const into = element.current;
    const onTheme = new MutationObserver(() => plot.current?.redraw(false));
    onTheme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const onSize = new ResizeObserver(() => plot.current?.setSize({ width: into?.clientWidth ?? 0, height }));
    if (into) onSize.observe(into);
    return () => {
      onTheme.disconnect();
      onSize.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, []);
  return (
    <figure class="plot">
      <figcaption>
        <span>{title}</span>
        <span class="number">{pointed ?? number}</span>
        <small>{pointed ? "at that minute" : window}</small>
        {drawn.length > 1 && <Key series={drawn} isBad={isBad} />}
      </figcaption>
      <div ref={element} class="canvas" aria-hidden="true" />
    </figure>
  );
}

/** Which line is which: "latency p50" is called "p50". */
function Key({ series, isBad }: { series: Series[]; isBad: boolean | undefined }) {
  const [first, second] = series.map(({ name }) => name.slice(name.indexOf(" ") + 1));
  return (
    <small class="key" aria-hidden="true">
      <span class="line" /> {first} <span class={isBad ? "line bad" : "line other"} /> {second}
    </small>
  );
}

function optionsFor(
  into: HTMLElement,
  lines: number,
  isBad: boolean | undefined,
  onPoint: (text: string | undefined) => void,
): uPlot.Options {
  const names = ["--accent", isBad ? "--bad" : "--quiet"];
  return {
    width: into.clientWidth,
    height,
    padding: [4, 2, 0, 2],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 5 } },
    hooks: { setCursor: [(shown) => onPoint(pointedIn(shown))] },
    axes: [{ show: false }, { show: false }],
    scales: { y: { range: (_, __, max) => [Math.max(max, 1) * -0.04, Math.max(max, 1) * 1.05] } },
    series: [
      {},
      ...names.slice(0, lines).map((name) => ({
        stroke: () => colour(into, name),
        width: 1.5,
        spanGaps: true,
        // One value makes no line.
        points: {
          show: ({ data }: uPlot, index: number) => Array.from(data[index] ?? []).filter(isValue).length === 1,
          size: 5,
        },
      })),
    ],
  };
}

const isValue = (value: unknown) => typeof value === "number";

/** Without the minute that still runs, if it would seem to be a fall. */
function finished(points: Series["points"], now: number): Series["points"] {
  const [before, last] = points.slice(-2);
  const isRunning = last !== undefined && last[0] * 1_000 > now - minuteMs;
  return isRunning && before && last[1] < before[1] ? points.slice(0, -1) : points;
}

/** "12:03: 4 / 1" */
function pointedIn({ data, cursor: { idx } }: uPlot): string | undefined {
  if (idx === null || idx === undefined) return undefined;
  const [time = 0, ...values] = data.map((row) => row[idx] ?? 0);
  return `${clockTime(time)}: ${values.map((value) => count(Math.round(value))).join(" / ")}`;
}

/** The canvas cannot read light-dark(), so the colour is resolved first. */
function colour(into: HTMLElement, name: string): string {
  into.style.color = `var(${name})`;
  return getComputedStyle(into).color;
}
