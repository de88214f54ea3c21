import { operation } from "../api.ts";
import { Head, Part } from "../components/head.tsx";
import { Plot, type Series } from "../components/plot.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { clockTime, count } from "../format.ts";
import { useLive } from "../live.ts";
import { useSession } from "../session.ts";
import { Attention } from "./attention.tsx";

interface Panel {
  title: string;
  /** Names of the series. */
  of: readonly string[];
  isBad?: boolean;
  number: (series: Series[]) => string;
  /** What time the number is about. Default: the last hour. */
  window?: (series: Series[]) => string;
}

const total = ({ points }: Series) => points.reduce((sum, [, value]) => sum + value, 0);
/** The newest point that has a value. */
const latest = ({ points }: Series) => points.findLast(([, value]) => Number.isFinite(value));
const totals = (series: Series[]) => series.map((each) => count(Math.round(total(each)))).join(" / ");

const hour = "in the last hour";

const panels: readonly Panel[] = [
  { title: "Calls", of: ["calls"], number: totals, window: () => `${hour}, this console included` },
  { title: "Refused calls (4xx)", of: ["refused"], number: totals },
  { title: "Failed calls (5xx)", of: ["failures"], number: totals },
  {
    title: "Latency p50 / p95",
    of: ["latency p50", "latency p95"],
    number: (series) =>
      series.some(({ points }) => points.length > 0)
        ? `${series.map((each) => count(Math.round(latest(each)?.[1] ?? 0))).join(" / ")} ms`
        : "no calls",
    window: ([first]) => {
      const [at] = (first && latest(first)) ?? [];
      return at === undefined ? hour : `in the minute of ${clockTime(at)}`;
    },
  },
  { title: "Jobs done / failed", of: ["jobs done", "jobs failed"], isBad: true, number: totals },
  { title: "Job runs / failed jobs", of: ["job runs", "jobs failed"], isBad: true, number: totals },
  {
    title: "Deliveries sent / failed",
    of: ["deliveries sent", "deliveries failed"],
    isBad: true,
    number: totals,
  },
  { title: "Messages sent / failed", of: ["messages sent", "messages failed"], isBad: true, number: totals },
];

export function Overview() {
  return (
    <>
      <Head title="Overview" />
      <Attention />
      <Part title="Numbers">
        <Metrics />
      </Part>
    </>
  );
}

function Metrics() {
  const has = useSession()?.operations.metrics ?? false;
  const live = useLive(has ? "metrics" : undefined, (signal) =>
    operation<{ series: Series[] }>("metrics?minutes=60", signal),
  );
  if (!has)
    return (
      <Empty title="No numbers in this mode.">
        <p>
          The numbers of a deployment are in CloudWatch. Start the console with <code>--stack NAME</code> to see them.
        </p>
      </Empty>
    );
  return (
    <Loaded live={live} lines={6}>
      {({ series }) => (
        <div class="plots">
          {panels.map((panel) => {
            const shown = panel.of.flatMap((name) => series.find((each) => each.name === name) ?? []);
            const { title, isBad = false, number, window = () => hour } = panel;
            return (
              shown.length === panel.of.length && (
                <Plot
                  key={title}
                  title={title}
                  number={number(shown)}
                  window={window(shown)}
                  series={shown}
                  isBad={isBad}
                />
              )
            );
          })}
        </div>
      )}
    </Loaded>
  );
}
