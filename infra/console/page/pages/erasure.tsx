import { useState } from "preact/hooks";
import { change, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Code } from "../components/copy.tsx";
import { Part } from "../components/head.tsx";
import { Loaded } from "../components/states.tsx";
import { Status } from "../components/status.tsx";
import { count } from "../format.ts";
import { useLive } from "../live.ts";
import type { Try } from "../try.ts";

interface JobStatus {
  status: "pending" | "in_progress" | "completed" | "failed";
  progress: { done: number; total?: number };
  receipt?: string;
  reason?: string;
}

/** Erasure jobs that this window has begun, so that their progress stays when the reader comes back. */
const begun = new Map<string, string>();

export function Erasure({ organizationId, userId }: { organizationId: string; userId: string }) {
  const key = JSON.stringify([organizationId, userId]);
  const [jobId, setJobId] = useState(begun.get(key));
  const erase = async (attempt: Try) => {
    const data = { organizationId, userIds: [userId] };
    const job = await change<{ jobId: string }>("v2/users/data/delete", data, attempt);
    begun.set(key, job.jobId);
    setJobId(job.jobId);
  };
  return (
    <Part title="Erasure">
      <p class="quiet">
        Removes the user's access and data, and their name and id from the data of others. A signed receipt says what
        was done.
      </p>
      {jobId ? (
        <Progress jobId={jobId} />
      ) : (
        <div>
          <Action
            scope="write"
            tone="bad"
            run={erase}
            done="The erasure has begun."
            ask={{
              title: "Erase this user?",
              text: "The user's data of this organization goes for good. Nobody can bring it back.",
              confirm: "Erase the user",
              typed: userId,
            }}
          >
            Erase this user
          </Action>
        </div>
      )}
    </Part>
  );
}

const states = {
  pending: ["busy", "Waiting to start"],
  in_progress: ["busy", "Erasing"],
  completed: ["good", "Erased"],
  failed: ["bad", "Failed"],
} as const;

function Progress({ jobId }: { jobId: string }) {
  const live = useLive(["job", jobId], (signal) => load<JobStatus>("v2/jobs/status", { jobId }, signal));
  return (
    <Loaded live={live} lines={1}>
      {({ status, progress: { done, total }, receipt, reason }) => (
        <div class="card stack">
          <div class="row spread">
            <Status tone={states[status][0]}>{states[status][1]}</Status>
            <span class="quiet">
              {total === undefined ? `${count(done)} done` : `${count(done)} of ${count(total)}`}
            </span>
          </div>
          {status === "in_progress" && (
            <progress aria-label="Progress of the erasure" {...(total !== undefined && { max: total, value: done })} />
          )}
          {status === "in_progress" && (
            <p class="quiet">It takes a minute or more, because it waits for the calls that began before it.</p>
          )}
          {reason && <p>{reason}</p>}
          {receipt && (
            <>
              <p>The signed receipt. Keep it: it proves the erasure.</p>
              <Code text={receipt} />
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}
