import { type Command, InvalidArgumentError, Option } from "commander";
import { columns, type Io, type Output, type TargetOptions, UserError } from "./command.ts";
import { onTarget, outputsOf } from "./target.ts";
import { type Line, type Step, stepOf } from "./trace-steps.ts";

interface TraceOptions extends TargetOptions {
  hours: number;
}

export function addTrace(program: Command, io: Io): void {
  const command = program
    .command("trace")
    .description("print what a call caused, in order: its jobs and deliveries with their attempts and outcomes")
    .argument(
      "<request-id>",
      "`x-request-id` of the call's reply, or its beginning, as the terminal of npm start shows it",
      (id: string) => {
        // It becomes a part of a query.
        if (!/^[\w=+/:-]{1,128}$/.test(id)) throw new InvalidArgumentError("It is not an id of a request.");
        return id;
      },
    )
    .addOption(
      new Option("--hours <hours>", "how far back to read the logs of a stack").default(72).argParser((text) => {
        if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
        return Number(text);
      }),
    );
  onTarget(command, io, trace);
}

async function trace({ data, stack, hours }: TraceOptions, requestId: string): Promise<Output> {
  const lines = stack === undefined ? await ofFolder(data, requestId) : await ofStack(stack, requestId, hours);
  if (lines.length === 0) {
    const where = stack === undefined ? "of the data folder" : `of the last ${hours} hours`;
    throw new UserError(`The log ${where} has no line of the request ${requestId}.`);
  }
  const inOrder = lines.map((line) => ({ line, step: stepOf(line) })).sort(byTime);
  const steps = inOrder.map(({ step }) => step);
  const states = await presentStates(inOrder.map(({ line }) => line));
  const rows = steps.map(({ time, what, id, outcome, attempt, durationMs, detail }) =>
    [time, what, id, outcome, attempt ?? "", durationMs ?? "", detail].map(String),
  );
  const now = states.map(({ what, id, state, detail }) => [what, id, state, detail]);
  const text = [
    columns(["TIME", "WHAT", "ID", "OUTCOME", "ATTEMPT", "MS", "DETAIL"], rows),
    ...(now.length > 0 ? ["", columns(["NOW", "ID", "STATE", "DETAIL"], now)] : []),
  ].join("\n");
  return { json: { requestId, steps, states }, text };
}

const byTime = ({ step: one }: { step: Step }, { step: other }: { step: Step }) =>
  Number(one.time > other.time) - Number(one.time < other.time);

async function ofFolder(data: string, requestId: string): Promise<Line[]> {
  const { keptLines } = await import("../local/log-file.ts");
  // The terminal of npm start shows the beginnings of ids.
  const found = keptLines(data, `"correlation_id":"${requestId}`);
  const ids = [...new Set(found.map(({ correlation_id: id }) => String(id)))];
  if (ids.length > 1 && !ids.includes(requestId)) {
    throw new UserError(`These requests begin with ${requestId}: ${ids.slice(0, 10).join(", ")}. Give more of the id.`);
  }
  return found.filter(({ correlation_id: id }) => ids.length === 1 || id === requestId);
}

async function ofStack(stack: string, requestId: string, hours: number): Promise<Line[]> {
  const { queryLogs } = await import("./query-logs.ts");
  const output = await outputsOf(stack);
  const groups = ["EndpointLogs", "WorkerLogs", "AccessLogs"].map(output);
  return queryLogs(groups, `filter correlation_id = "${requestId}"`, hours);
}

interface State {
  what: string;
  id: string;
  state: string;
  detail: string;
}

/** The present state of the jobs and deliveries that log lines name. */
async function presentStates(lines: readonly Line[]): Promise<State[]> {
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
  const { oneDelivery } = await import("../../lib/store/webhooks/delivery-page.ts");
  const [workspace = "", endpointId = "", delivery = ""] = path.split("/");
  const id = `${endpointId}/${delivery}`;
  const logged = await oneDelivery({ workspace, endpointId }, delivery);
  // A delivery is logged with its first attempt. The log is kept for 30 days.
  if (!logged || !("status" in logged))
    return { what: "delivery", id, state: "not attempted, or no longer kept", detail: "" };
  const { status, attempts, nextAttemptAt } = logged;
  const next = status === "pending" && nextAttemptAt ? `, next attempt ${nextAttemptAt}` : "";
  return { what: "delivery", id, state: status, detail: `attempts ${attempts}${next}` };
}
