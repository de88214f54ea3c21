import { useLocation } from "preact-iso";
import type { ShownJob } from "../../server/operations.ts";
import { operate, operation } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Empty, Loaded } from "../components/list.tsx";
import { Head, Status, Tabs, Time } from "../components/page.tsx";
import { count, inWords, plural } from "../format.ts";
import { useLive } from "../live.ts";
import { address } from "../places.ts";
import { useSession } from "../session.ts";

const path = "/console/jobs";
const views = [
  [path, "Unfinished"],
  ...["failed", "running", "waiting"].map((state) => [address(path, { state }), inWords(state)] as const),
] as const;

/** Background work: what waits, runs or has failed. */
export function Jobs() {
  const { state = "" } = useLocation().query;
  const has = useSession()?.operations.jobs ?? false;
  const list = address("jobs", { state });
  const live = useLive(has ? list : undefined, (signal) => operation<Shown>(list, signal));
  return (
    <>
      <Head title="Jobs" />
      {has ? (
        <>
          <Tabs label="State" tabs={views} current={state ? inWords(state) : "Unfinished"} />
          <Loaded live={live}>{(shown) => <JobList {...shown} />}</Loaded>
        </>
      ) : (
        <Empty title="This console does not see the jobs.">
          They are in the deployment's table. Start the console with <code>--stack NAME</code>, or run{" "}
          <code>npm run admin -- jobs --help</code>.
        </Empty>
      )}
    </>
  );
}

interface Shown {
  jobs: ShownJob[];
  /** The options of `npm run admin` that name the place of the jobs. */
  place: string;
}

function JobList({ jobs, place }: Shown) {
  if (jobs.length === 0)
    return (
      <Empty title="No such jobs now.">
        A job appears when work is left for later, such as a delivery or an erasure. When it is done, it leaves this
        list. What a call has caused is in the log: <code>npm run admin -- trace REQUEST_ID {place}</code>
      </Empty>
    );
  return (
    <ul class="rows" aria-label="Jobs">
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} place={place} />
      ))}
    </ul>
  );
}

function JobRow({ job, place }: { job: ShownJob; place: string }) {
  const { id, kind, state, dueAt, attempts, does, about, reason, summary, progress, causedBy } = job;
  return (
    <li>
      <Status tone={state === "failed" ? "bad" : "busy"}>{inWords(state)}</Status>
      <span class="grow">
        {does}
        {summary && `: ${inWords(summary).toLowerCase()}`}
        {about && <span class="block">About: {about.join(", ")}</span>}
        {reason && <span class="block">The last attempt failed: {reason}</span>}
        <span class="quiet block">
          {kind} <code>{id}</code>
        </span>
        {causedBy && (
          <span class="quiet block">
            To see what caused it{!reason && attempts > 0 && ", and why an attempt failed"}, run{" "}
            <code>
              npm run admin -- trace {causedBy} {place}
            </code>
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
      <span class="quiet">
        {state === "failed" ? "failed" : "due"} <Time at={dueAt} />
      </span>
      {state === "failed" && (
        <Action scope="write" run={() => operate("jobs/retry", { id })} done="The job is tried again.">
          Retry
        </Action>
      )}
    </li>
  );
}
