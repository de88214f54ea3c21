import { useState } from "preact/hooks";
import { change, type KeyOf, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Empty, Loaded } from "../components/list.tsx";
import { useOrganizationName } from "../components/organization.tsx";
import { Facts, Head, Json, Part, Status } from "../components/page.tsx";
import { count, plural } from "../format.ts";
import { useCall } from "../live.ts";
import { address } from "../places.ts";
import type { User } from "../types.ts";
import { Role } from "./people.tsx";

const path = "/console/people";

interface Of {
  organizationId: string;
  userId: string;
}

/** One user: role, all data about them, and their erasure. */
export function UserView({ organizationId, userId }: Of) {
  const organization = useOrganizationName(organizationId);
  const live = useCall<{ users: User[] }>("v2/users/get", { organizationId, userIds: [userId] });
  const user = live.data?.users[0];
  const trail = [[address(path, { org: organizationId }), `People of ${organization}`]] as const;
  return (
    <>
      <Head title={user?.name || userId} trail={trail}>
        <a href={address(path, { org: organizationId, view: "access", user: userId })}>What this user can see</a>
        <a href={address("/console/activity", { org: organizationId, user: userId })}>Activity</a>
      </Head>
      <Part title="Profile">
        <Loaded live={live}>
          {() =>
            user ? (
              <Facts of={{ Id: <code>{userId}</code>, "E-mail": user.email || "none", Role: <Role user={user} /> }} />
            ) : (
              <Empty title="The organization has no user with this id.">
                Comments or activities can still name the id. The parts below show what is kept.
              </Empty>
            )
          }
        </Loaded>
      </Part>
      <Export organizationId={organizationId} userId={userId} />
      <Erasure organizationId={organizationId} userId={userId} />
    </>
  );
}

const parts = ["comments", "reactions", "recordings", "notifications"] as const;
const pagesMax = 1_000;

type Exported = Record<(typeof parts)[number], object[]> & { profile: object | null };

/** All data of the user. The API replies it page by page. */
async function readExport({ organizationId, userId }: Of): Promise<Exported> {
  const whole: Exported = { profile: null, comments: [], reactions: [], recordings: [], notifications: [] };
  let pageToken: string | null = null;
  for (let page = 0; page < pagesMax; page++) {
    type Page = Partial<Exported> & { nextPageToken: string | null };
    const data = { organizationId, userId, ...(pageToken && { pageToken }) };
    const reply: Page = await load("v2/users/data/get", data);
    whole.profile ??= reply.profile ?? null;
    for (const part of parts) whole[part].push(...(reply[part] ?? []));
    pageToken = reply.nextPageToken;
    if (!pageToken) return whole;
  }
  throw new Error("The user has too much data for this page. Export it with the API.");
}

function Export(of: Of) {
  const [shown, setShown] = useState<Exported>();
  const file = shown && `data:application/json,${encodeURIComponent(JSON.stringify(shown, undefined, 2))}`;
  return (
    <Part title="Data of this user">
      <p class="quiet">
        The profile, and each comment, reaction, recording and notification that the user wrote or got.
      </p>
      <div class="row">
        <Action scope="read" run={async () => setShown(await readExport(of))}>
          Show the data
        </Action>
        {file && (
          <a href={file} download="user-data.json">
            Save as a file
          </a>
        )}
      </div>
      {shown && (
        <>
          <p>{parts.map((part) => plural(shown[part].length, part.slice(0, -1))).join(", ")}</p>
          <Json label="Data of the user" value={shown} />
        </>
      )}
    </Part>
  );
}

/** Erasure jobs that this window has begun, so that their progress stays when the reader comes back. */
const begun = new Map<string, string>();

function Erasure({ organizationId, userId }: Of) {
  const key = JSON.stringify([organizationId, userId]);
  const [jobId, setJobId] = useState(begun.get(key));
  const erase = async (keyOf: KeyOf) => {
    const data = { organizationId, userIds: [userId] };
    const job = await change<{ jobId: string }>("v2/users/data/delete", data, keyOf);
    begun.set(key, job.jobId);
    setJobId(job.jobId);
  };
  const text = "The user's data of this organization goes for good. Nobody can bring it back.";
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
            isBad
            run={erase}
            done="The erasure has begun."
            ask={{ title: "Erase this user?", text, typed: userId }}
          >
            Erase the user
          </Action>
        </div>
      )}
    </Part>
  );
}

interface JobStatus {
  status: keyof typeof states;
  progress: { done: number; total?: number };
  receipt?: string;
  reason?: string;
}

const states = {
  pending: ["busy", "Waiting to start"],
  in_progress: ["busy", "Erasing"],
  completed: ["good", "Erased"],
  failed: ["bad", "Failed"],
} as const;

function Progress({ jobId }: { jobId: string }) {
  const live = useCall<JobStatus>("v2/jobs/status", { jobId });
  return (
    <Loaded live={live}>
      {({ status, progress: { done, total }, receipt, reason }) => (
        <div class="card stack">
          <div class="row spread">
            <Status tone={states[status][0]}>{states[status][1]}</Status>
            <span class="quiet">
              {count(done)} {total === undefined ? "done" : `of ${count(total)}`}
            </span>
          </div>
          {status === "in_progress" && (
            <p class="quiet">It waits for the calls that began before it: a minute or more.</p>
          )}
          {reason && <p>{reason}</p>}
          {receipt && (
            <>
              <p>The signed receipt. Keep it: it proves the erasure.</p>
              <Json label="Receipt" value={receipt} />
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}
