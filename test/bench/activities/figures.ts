// npm run bench -- --activities: how many activities the writer of a log appends in a second, with how many calls to AWS,
// and what a page of the log costs. Each is measured for logs of growing length.
import { appendActivities } from "../../../lib/activity/append.ts";
import { appendJob, settledMs } from "../../../lib/activity/append-job.ts";
import { inCall, newCall } from "../../../lib/call.ts";
import { createMissing } from "../../../lib/content/existing.ts";
import { commitEach } from "../../../lib/jobs/commit.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import type { OrganizationRef } from "../../../lib/store/refs.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { callAs } from "../calls.ts";
import type { Credentials } from "../event.ts";
import { printTable } from "../table.ts";

const organizationId = "log";
/** Events of one call, as an import makes them. */
const perCall = 1_000;

const now = Date.now;
let aheadMs = 0;
Date.now = () => now() + aheadMs;

const wants = {
  wantedEvents: [],
  version: 0,
  emailEvents: [],
  slackEvents: [],
  activityEvents: ["comment.add" as const],
};

/** Adds events of 100 documents and ten users. */
async function addEvents(organization: OrganizationRef, from: number, count: number): Promise<void> {
  const call = Object.assign(newCall(`call-${from}`), {
    webhooks: async () => wants,
  });
  const units = Array.from({ length: count }, (_, index) => ({ writes: [], number: from + index }));
  await inCall(call, () =>
    commitEach(units, (some) => ({
      events: some.map(({ number }) => ({
        type: "comment.add" as const,
        ...organization,
        documentId: `d${number % 100}`,
        data: { annotationId: `annotation-${number}`, commentId: `comment-${number}`, from: `u${number % 10}` },
      })),
    })),
  );
}

async function append(organization: OrganizationRef, activities: number) {
  aheadMs += settledMs + 1_000;
  const run = newCall("writer");
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  await inCall(run, async () => {
    while ((await appendActivities(appendJob(organization), Date.now() + 45_000)) !== "done");
  });
  const { user, system } = process.cpuUsage(cpu);
  const { roundTrips, readUnits, writeUnits } = run.cost;
  return {
    activities,
    "a second": Math.round((activities * 1_000) / (performance.now() - startedAt)),
    "a second and core": Math.round((activities * 1_000_000) / (user + system)),
    trips: (roundTrips / activities).toFixed(3),
    RCU: (readUnits / activities).toFixed(2),
    WCU: (writeUnits / activities).toFixed(2),
  };
}

const filters = {
  all: {},
  "a document": { documentIds: ["d7"] },
  "a user": { userIds: ["u7"] },
  "a type": { eventTypes: ["comment.add"] },
  "a document and a user": { documentIds: ["d7"], userIds: ["u7"] },
};

async function reads(as: Credentials, activities: number) {
  const rows = [];
  for (const [page, filter] of Object.entries(filters)) {
    const { line } = await callAs(as, "activities-get", { organizationId, ...filter });
    rows.push({ activities, page, trips: line.roundTrips, RCU: line.readUnits });
  }
  return rows;
}

async function ofSize(size: number) {
  const { apiKey } = await Workspace.create({ name: "log" });
  const as = { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
  const organization = { workspace: apiKey, organizationId };
  await createMissing(organization, [organization]);
  for (let from = 0; from < size; from += perCall) await addEvents(organization, from, Math.min(perCall, size - from));
  const written = await append(organization, size);
  await addEvents(organization, size, 1);
  const one = await append(organization, 1);
  return {
    written,
    one: { "log of": size, trips: one.trips, RCU: one.RCU, WCU: one.WCU },
    read: await reads(as, size),
  };
}

export async function activityFigures(quick: boolean) {
  const figures = [];
  for (const size of quick ? [100, 10_000] : [100, 10_000, 100_000]) figures.push(await ofSize(size));
  const [writer, single, pages] = [
    figures.map(({ written }) => written),
    figures.map(({ one }) => one),
    figures.flatMap(({ read }) => read),
  ];
  printTable("Activity log: the writer after an import, each activity", writer);
  printTable("Activity log: the writer, one activity", single);
  printTable("Activity log: a page of 50", pages);
  return { writer, single, pages };
}
