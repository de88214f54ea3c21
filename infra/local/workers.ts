import type { Worker } from "../../lib/jobs/worker.ts";
import { deliver } from "./event-source.ts";
import { type Invoke, invoker, type Load } from "./invoke.ts";
import type { LocalSqs } from "./sqs.ts";

interface WorkersOptions {
  workers: readonly Worker[];
  load: Load;
  sqs: LocalSqs;
  onError(thrown: unknown): void;
}

/** Runs the workers until `stop` is called: queue workers on messages, scheduled workers now and at each interval. */
export function runWorkers({ workers, load, sqs, onError }: WorkersOptions): { stop(): void } {
  const running = workers.map((worker) => {
    const invoke = invoker(load, worker.name, worker.timeoutSeconds);
    if (worker.kind === "schedule") return runOnSchedule(invoke, worker.everyMinutes, onError);
    const { timeoutSeconds, batchSize, concurrencyMax } = worker;
    const name = worker.kind === "events" ? worker.queue : worker.jobs;
    return deliver({ queue: sqs.queue(name), invoke, timeoutSeconds, batchSize, concurrencyMax, onError });
  });
  return { stop: () => running.forEach((each) => void each.stop()) };
}

/** Skips an interval while the previous run continues. */
function runOnSchedule(invoke: Invoke, everyMinutes: number, onError: (thrown: unknown) => void): { stop(): void } {
  let isBusy = false;
  const run = async () => {
    if (isBusy) return;
    isBusy = true;
    const event = {
      source: "aws.events",
      "detail-type": "Scheduled Event",
      time: new Date().toISOString(),
      detail: {},
    };
    await invoke(event).catch(onError);
    isBusy = false;
  };
  void run();
  const timer = setInterval(run, everyMinutes * 60_000);
  return { stop: () => clearInterval(timer) };
}
