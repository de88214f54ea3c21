// Removes users from events that are not deliveries yet. They are in the payloads of jobs.
import { inParallel } from "../concurrency.ts";
import { commit } from "../jobs/commit.ts";
import { type Job, jobEntity } from "../jobs/job.ts";
import * as JobList from "../jobs/list.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import * as Jobs from "../jobs/store.ts";
import type { Context } from "./context.ts";
import { counting } from "./counted.ts";
import { eventWithout } from "./event-users.ts";

const jobsInFlight = 8;

/** A job that is running is left to the next pass: by then, its events are deliveries. */
export async function eraseFromOutbox(context: Context): Promise<void> {
  for await (const jobs of JobList.listed(context.workspace)) {
    const outbox = jobs.filter(({ kind }) => kind === "fanout");
    await inParallel(outbox, jobsInFlight, async ({ id }) => {
      const job = await Jobs.get(id);
      if (job && job.state !== "done") await rewrite(context, job);
    });
  }
}

async function rewrite(context: Context, job: Job): Promise<void> {
  const { users, organizationId } = context;
  const { id, state, leaseId, dueAt, attempts, payload } = job;
  const events = (payload.events ?? []) as DomainEvent[];
  const without = events.map((event) => eventWithout(event, users, organizationId));
  if (without.every((each) => each === undefined)) return;
  const next = { ...payload, events: events.map((event, index) => without[index] ?? event) };
  const asRead = { state, leaseId, dueAt, attempts };
  const isWritten =
    state !== "running" &&
    (await commit([
      jobEntity.update({ jobId: id }, { set: { payload: next } }, asRead),
      counting(context, "redacted", [{ entity: jobEntity.name }]),
    ]));
  context.isIncomplete ||= !isWritten;
}
