// The present state of the jobs and deliveries that log lines name.
import type { Line } from "./trace-steps.ts";

export interface State {
  what: string;
  id: string;
  state: string;
  detail: string;
}

export async function presentStates(lines: readonly Line[]): Promise<State[]> {
  const jobs = lines.flatMap((line) => [...listed(line.causedJobs), ...(line.job === undefined ? [] : [line.job])]);
  const deliveries = lines.flatMap(({ workspace, endpointId, delivery, causedDeliveries }) => {
    const own = delivery === undefined ? [] : [`${endpointId}/${delivery}`];
    return [...listed(causedDeliveries), ...own].map((id) => `${workspace}/${id}`);
  });
  const states = [
    ...[...new Set(jobs)].map((id) => jobState(String(id))),
    ...[...new Set(deliveries)].map(deliveryState),
  ];
  return Promise.all(states);
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

async function jobState(id: string): Promise<State> {
  const Job = await import("../../lib/jobs/store.ts");
  const job = await Job.get(id);
  if (!job) return { what: "job", id, state: "no longer kept", detail: "" };
  const { kind, state, attempts, dueAt } = job;
  const due = state === "waiting" ? `, due ${new Date(dueAt).toISOString()}` : "";
  return { what: `job ${kind}`, id, state, detail: `attempts ${attempts}${due}` };
}

async function deliveryState(path: string): Promise<State> {
  const Delivery = await import("../../lib/store/webhooks/delivery.ts");
  const [workspace = "", endpointId = "", delivery = ""] = path.split("/");
  const id = `${endpointId}/${delivery}`;
  const logged = await Delivery.logged({ workspace, endpointId }, delivery);
  // A delivery is logged with its first attempt. The log is kept for 30 days.
  if (!logged) return { what: "delivery", id, state: "not attempted, or no longer kept", detail: "" };
  const { status, attempts, nextAttemptAt } = logged;
  const next = status === "pending" && nextAttemptAt ? `, next attempt ${nextAttemptAt}` : "";
  return { what: "delivery", id, state: status, detail: `attempts ${attempts}${next}` };
}
