import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export interface Series {
  name: string;
  unit: string;
  /** Seconds since 1970, and the value. */
  points: [number, number][];
}

const height = 56;

interface PlotProps {
  title: string;
  /** The number that the plot stands for, as text. */
  number: string;
  series: Series[];
  /** The second series is a failure: it gets the colour of one. */
  isBad?: boolean;
}

/** A small plot beside its number. A reader without eyes on it has the number. */
export function Plot({ title, number, series, isBad }: PlotProps) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const text = JSON.stringify(series.map(({ points }) => points));
  useEffect(() => {
    const into = element.current;
    if (!into) return;
    const times = series[0]?.points.map(([at]) => at) ?? [];
    const data = [times, ...series.map(({ points }) => points.map(([, value]) => value))] as uPlot.AlignedData;
    if (plot.current) plot.current.setData(data);
    else plot.current = new uPlot(optionsFor(into, series.length, isBad), data, into);
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
        <span class="number">{number}</span>
      </figcaption>
      <div ref={element} class="canvas" aria-hidden="true" />
    </figure>
  );
}

function optionsFor(into: HTMLElement, lines: number, isBad = false): uPlot.Options {
  const names = ["--accent", isBad ? "--bad" : "--quiet"];
  return {
    width: into.clientWidth,
    height,
    padding: [4, 0, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: { y: { range: (_, __, max) => [0, Math.max(max, 1) * 1.05] } },
    series: [
      {},
      ...names.slice(0, lines).map((name) => ({
        stroke: () => colour(into, name),
        width: 1.5,
        points: { show: false },
      })),
    ],
  };
}

/** The canvas cannot read light-dark(), so the colour is resolved first. */
function colour(into: HTMLElement, name: string): string {
  into.style.color = `var(${name})`;
  return getComputedStyle(into).color;
}
