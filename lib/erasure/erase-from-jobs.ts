// Removes users from the payloads of jobs that are not done: from events that are not deliveries yet, and from positions
// in lists of users.
import { inParallel } from "../concurrency.ts";
import type { EndedUserLife } from "../deletion/purge-job.ts";
import type { JobKind } from "../grants.ts";
import { commit } from "../jobs/commit.ts";
import * as JobList from "../jobs/list.ts";
import { eventsIn } from "../jobs/outbox.ts";
import * as Jobs from "../jobs/store.ts";
import type { MessagesDone } from "../messages/fan-out-messages.ts";
import * as User from "../store/access/user.ts";
import { type Job, jobEntity } from "../store/job.ts";
import type { Context } from "./context.ts";
import { counting } from "./counted.ts";
import { eventWithout, tellsWho } from "./event-users.ts";

const jobsInFlight = 8;

/**
 * Takes the workspace's jobs from the cursor on. Returns the cursor at which the next run continues, when it stopped at
 * `until` (ms since the epoch). A running job is left to the next pass: by then it has gone on, or is done.
 */
export async function eraseFromJobs(
  context: Context,
  from: JobList.ListCursor | undefined,
  until: number,
): Promise<JobList.ListCursor | undefined> {
  for await (const { jobs, next } of JobList.pages(context.workspace, from)) {
    const naming = jobs.filter(({ id, kind }) => id !== context.jobId && withoutUsers[kind] !== undefined);
    await inParallel(naming, jobsInFlight, async ({ id }) => {
      const job = await Jobs.get(id);
      if (job && job.state !== "done") await rewrite(context, job);
    });
    if (next && Date.now() > until) return next;
  }
  return undefined;
}

type Payload = Job["payload"];

/**
 * Takes the users out of a payload, for the kinds of jobs whose payloads can name users. Undefined: this payload names
 * none of them. All steps of jobs can be repeated.
 */
const withoutUsers: Partial<Record<JobKind, (context: Context, payload: Payload) => Payload | undefined>> = {
  fanout(context, payload) {
    const { users, organizationId } = context;
    const events = eventsIn(payload);
    const without = events.map((event) =>
      tellsWho(event.type) ? undefined : eventWithout(event, users, organizationId),
    );
    const messages = messagesWithout(context, payload);
    if (!messages && without.every((each) => each === undefined)) return undefined;
    const eventsJson = JSON.stringify(events.map((event, index) => without[index] ?? event));
    return { ...payload, eventsJson, ...(messages && { messages }) };
  },
  /** If the position in a list names a user, the list begins again. */
  notify(context, payload) {
    const cursors = (payload.cursors ?? []) as (string | null)[];
    if (!isAbout(context, payload) || !cursors.some((each) => names(context, each))) return undefined;
    return { ...payload, cursors: cursors.map((each) => (names(context, each) ? "" : each)) };
  },
  migrate(context, payload) {
    const { after, ...rest } = payload;
    return isAbout(context, payload) && names(context, after) ? rest : undefined;
  },
  /** The erasure deletes the data of these lives. */
  purge(context, payload) {
    const lives = (payload.users ?? []) as EndedUserLife[];
    const rest = lives.filter((life) => !(isAbout(context, life) && context.users.has(life.userId)));
    return rest.length < lives.length ? { ...payload, users: rest } : undefined;
  },
};

/** How far messages have come. A list whose position names a user begins again. Undefined: no position names a user. */
function messagesWithout(context: Context, { messages }: Payload): MessagesDone | undefined {
  const { progress, ...done } = (messages ?? { next: 0, count: 1 }) as MessagesDone;
  const cursors = progress?.cursors;
  if (!progress || !cursors?.some((each) => names(context, each))) return undefined;
  return { ...done, progress: { ...progress, cursors: cursors.map((each) => (names(context, each) ? "" : each)) } };
}

const isAbout = (context: Context, payload: object) =>
  context.organizationId === undefined ||
  ("organizationId" in payload && payload.organizationId === context.organizationId);

/** Whether a sort key has the id of one of the users in it. */
const names = ({ users }: Context, position: unknown): boolean =>
  typeof position === "string" && [...users].some((userId) => User.isIn(position, userId));

async function rewrite(context: Context, job: Job): Promise<void> {
  const { id, kind, state, leaseId, dueAt, attempts } = job;
  const payload = withoutUsers[kind]?.(context, job.payload);
  if (!payload) return;
  const asRead = { state, leaseId, dueAt, attempts };
  const isWritten =
    state !== "running" &&
    (await commit([
      jobEntity.update({ jobId: id }, { set: { payload } }, asRead),
      counting(context, "redacted", [{ entity: jobEntity.name }]),
    ]));
  context.isIncomplete ||= !isWritten;
}
