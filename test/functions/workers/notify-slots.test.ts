// Jobs of notifications that ask the permission provider of their workspace (DECISIONS.md#waits-for-others).
import { afterEach, expect, it, vi } from "vitest";
import { notify } from "../../../functions/workers/notify.ts";
import { permissionproviderconfigUpdate } from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import type { NotifyPayload } from "../../../lib/notify/notify-run.ts";
import type { Job } from "../../../lib/store/job.ts";
import { hold, slotCounts } from "../../../lib/store/waiting-slot.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { jobsOf, nextRunOf } from "../../support/jobs.ts";
import { listen } from "../../support/net/listen.ts";
import { silentServer } from "../../support/net/silent-server.ts";
import * as n from "../../support/notifications.ts";
import { itemsOf } from "../../support/scan.ts";

afterEach(() => void vi.restoreAllMocks());

/** A workspace whose provider fails at once, and the job of a notification to its member and to a named user. */
async function newJobOf(): Promise<[Credentials, Job]> {
  const as = await n.newDocument(["ann"]);
  const server = silentServer();
  server.answer();
  const permissionProviderUrl = `http://127.0.0.1:${await listen(server.respond)}/`;
  const permissionProviderConfig = { permissionProviderUrl, authToken: "secret" };
  await must(permissionproviderconfigUpdate, { as, data: { usePermissionProvider: true, permissionProviderConfig } });
  await n.add(as, { notifyUsers: [{ userId: "ben" }], verifyUserPermissions: true });
  const [job] = await jobsOf(as, "notify");
  return [as, job as Job];
}

async function again(job: Job, payload: Job["payload"], forMs = 60_000) {
  const result = await notify.run({ ...job, payload }, Date.now() + forMs);
  return nextRunOf(result);
}

const openSlotsOf = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ entity, until }) => entity === "waiting-slot" && Number(until) > 0);

async function holdAll({ apiKey: workspace }: Credentials): Promise<void> {
  for (let index = 0; index < slotCounts.notify; index++) await hold({ workspace }, "notify", `job ${index}`, 60_000);
}

it("read neither users nor preferences before they have a slot", async () => {
  const [as, job] = await newJobOf();
  await holdAll(as);
  const calls: string[] = [];
  interceptStore(({ constructor: { name } }) => void calls.push(name));
  await again(job, job.payload);
  // The content, the owner of the document and the settings; then the slots.
  expect(calls).toEqual(["BatchGetCommand", "QueryCommand"]);
});

it.each([
  ["shortest", 0, [3, 5, 10, 20, 30, 30]],
  ["longest", 1 - 1e-9, [5, 10, 20, 40, 60, 60]],
])("wait longer each time that they find no slot: the %s waits", async (_, random, expected) => {
  const [as, job] = await newJobOf();
  await holdAll(as);
  vi.spyOn(Math, "random").mockReturnValue(random);
  const delays: number[] = [];
  for (let { payload } = job; delays.length < expected.length; ) {
    const next = await again(job, payload);
    delays.push(next.delaySeconds);
    payload = next.payload;
  }
  expect(delays).toEqual(expected);
});

it("leave their slot for 5 seconds to others when they have more to do", async () => {
  const [as, job] = await newJobOf();
  // Less time than a step can take, so a run makes one step: first the named users.
  const { payload, delaySeconds } = await again(job, { ...job.payload, waits: 7 }, 20_000);
  const { cursors, waits } = payload as unknown as NotifyPayload;
  expect([delaySeconds, cursors?.some((cursor) => cursor !== null), waits]).toEqual([5, true, undefined]);
  expect(await openSlotsOf(as)).toEqual([]);
  expect(await notify.run({ ...job, payload }, Date.now() + 60_000)).toBe("done");
});
