import { useLocation } from "preact-iso";
import { operate, operation } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Changed } from "../components/changed.tsx";
import { Head } from "../components/head.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Status } from "../components/status.tsx";
import { Tabs } from "../components/tabs.tsx";
import { Time } from "../components/time.tsx";
import { count, inWords, milliseconds, plural } from "../format.ts";
import { useLive } from "../live.ts";
import { address } from "../places.ts";
import { useSession } from "../session.ts";
import { jobKinds } from "./job-kinds.ts";

interface Job {
  id: string;
  kind: string;
  workspace?: string;
  state: keyof typeof states;
  dueAt: string;
  attempts: number;
  createdAt?: string;
  summary?: string;
  durationMs?: number;
  progress?: { done: number; total?: number };
  /** x-request-id of the call that caused it. */
  causedBy?: string;
}

const path = "/console/jobs";
const states = {
  waiting: ["busy", "Waiting"],
  running: ["busy", "Running"],
  done: ["good", "Done"],
  failed: ["bad", "Failed"],
} as const;

const views = [
  [path, "Unfinished"],
  [address(path, { state: "failed" }), "Failed"],
  [address(path, { state: "running" }), "Running"],
  [address(path, { state: "waiting" }), "Waiting"],
] as const;
const doneView = [address(path, { state: "done" }), "Done"] as const;

/** Background work: what waits, runs, has failed, and was done last. */
export function Jobs() {
  const { query } = useLocation();
  const operations = useSession()?.operations;
  const has = operations?.jobs ?? false;
  const hasDone = operations?.doneJobs ?? false;
  const { state } = query;
  const search = state ? `?${new URLSearchParams({ state })}` : "";
  const live = useLive(has ? ["jobs", search] : undefined, (signal) =>
    operation<{ jobs: Job[] }>(`jobs${search}`, signal),
  );
  const current = state && Object.hasOwn(states, state) ? states[state as Job["state"]][1] : "Unfinished";
  return (
    <>
      <Head title="Jobs" />
      {has ? (
        <>
          <Tabs label="State" tabs={hasDone ? [...views, doneView] : views} current={current} />
          <div class="stack">
            {state === "done" && hasDone && <p class="quiet">The last 200 of this server's log, the latest first.</p>}
            <Loaded live={live}>{({ jobs }) => <JobList jobs={jobs} isFiltered={Boolean(state)} />}</Loaded>
            {state !== "done" && <p class="quiet">{hasDone ? doneHere : doneElsewhere}</p>}
          </div>
        </>
      ) : (
        <Empty title="This console does not see the jobs.">
          <p>
            They are in the deployment's table. Start the console with <code>--stack NAME</code>, or run{" "}
            <code>npm run admin -- jobs --help</code>
          </p>
        </Empty>
      )}
    </>
  );
}

const doneHere = 'A job that is done moves to "Done".';
const doneElsewhere = (
  <>
    A job that is done leaves this list, because the table finds only those that are not done. What a call has caused is
    in the log: <code>npm run admin -- trace REQUEST_ID --stack NAME</code>
  </>
);

function JobList({ jobs, isFiltered }: { jobs: Job[]; isFiltered: boolean }) {
  if (jobs.length === 0)
    return (
      <Empty title={isFiltered ? "No job has this state." : "No jobs now."}>
        <p>A job appears when work is left for later, such as a delivery or an erasure.</p>
      </Empty>
    );
  return (
    <ul class="rows" aria-label="Jobs">
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </ul>
  );
}

function JobRow({ job }: { job: Job }) {
  const { id, kind, state, dueAt, attempts, durationMs, summary, progress, causedBy } = job;
  const [tone, text] = states[state] ?? ["plain", state];
  return (
    <Changed of={job}>
      <span class="fixed">
        <Status tone={tone}>{text}</Status>
      </span>
      <span class="grow">
        <span class="title">{jobKinds[kind] ?? inWords(kind)}</span>
        {summary && <span class="quiet">: {inWords(summary).toLowerCase()}</span>}
        <span class="quiet block">
          {kind} <code>{id}</code>
        </span>
        {state === "failed" && causedBy && (
          <span class="quiet block">
            To see why, run <code>npm run admin -- trace {causedBy}</code>
          </span>
        )}
        {state !== "failed" && causedBy && (
          <span class="quiet block">
            Caused by request <code>{causedBy}</code>
          </span>
        )}
      </span>
      {progress && (
        <span class="quiet">
          {count(progress.done)}
          {progress.total !== undefined && ` of ${count(progress.total)}`}
        </span>
      )}
      {attempts > 0 && <span class="quiet">{plural(attempts, "attempt")}</span>}
      {state === "waiting" && (
        <span class="quiet">
          due <Time at={dueAt} isDue />
        </span>
      )}
      {state === "done" && (
        <span class="quiet">
          {durationMs !== undefined && `${milliseconds(durationMs)}, `}
          <Time at={dueAt} />
        </span>
      )}
      {state === "failed" && (
        <Action scope="write" run={() => operate("jobs/retry", { id })} done="The job is tried again.">
          Retry
        </Action>
      )}
    </Changed>
  );
}
