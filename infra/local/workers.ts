import type { Worker } from "../../lib/jobs/worker.ts";
import { deliver } from "./event-source.ts";
import { type Invoke, invoker, type Load } from "./invoke.ts";
import type { LocalSqs } from "./sqs.ts";

interface Running {
  workers: readonly Worker[];
  load: Load;
  sqs: LocalSqs;
  onError(thrown: unknown): void;
}

/** Runs the workers until stopped: those of queues as messages come, those of the clock now and on their schedule. */
export function runWorkers({ workers, load, sqs, onError }: Running): { stop(): void } {
  const running = workers.map((worker) => {
    const invoke = invoker(load, worker.name, worker.timeoutSeconds);
    if (worker.kind === "schedule") return repeat(invoke, worker.everyMinutes, onError);
    const { jobs, timeoutSeconds, batchSize, concurrencyMax } = worker;
    return deliver({ queue: sqs.queue(jobs), invoke, timeoutSeconds, batchSize, concurrencyMax, onError });
  });
  return { stop: () => running.forEach((each) => void each.stop()) };
}

/** A run that takes longer than its interval is not joined by a second. */
function repeat(invoke: Invoke, everyMinutes: number, onError: (thrown: unknown) => void): { stop(): void } {
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
