// Who is being erased is kept out until the job ends, however it ends. What the job keeps meanwhile names nobody.
import { describe, expect, it, vi } from "vitest";
import { jobsStatus } from "../../../functions/jobs/jobs-status.ts";
import { notificationsAdd } from "../../../functions/notifications/notifications-add.ts";
import { usersDataDelete } from "../../../functions/personal-data/users-data-delete.ts";
import { tokenGenerate } from "../../../functions/user-tokens/token-generate.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersUpdate } from "../../../functions/users/users-update.ts";
import { purge } from "../../../functions/workers/purge.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as User from "../../../lib/store/access/user.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add as addFeatures, documentId, newDocument } from "../../support/feature-data.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

const zoe = { userId: "zoe-41c", name: "Zoe", email: "zoe@example.org" };
const addUser = (as: Credentials) => call(usersAdd, { as, data: { organizationId, users: [zoe] } });
const erase = async (as: Credentials, userIds = [zoe.userId]): Promise<string> =>
  (await must(usersDataDelete, { as, data: { userIds } })).jobId;
const userOf = ({ apiKey: workspace }: Credentials) => User.get({ workspace, organizationId, userId: zoe.userId });

/** Lets all runs of the job fail until the job is failed. */
async function fail(jobId: string): Promise<void> {
  atAwsEdge(async ({ constructor: { name } }, made) => {
    if (name === "QueryCommand") throw new Error("The table is down.");
    return made();
  });
  for (let run = 0; run < 14; run++, later(900)) await receive(purge, [jobId]);
  vi.restoreAllMocks();
  expect((await Job.get(jobId))?.state).toBe("failed");
}

async function naming({ apiKey }: Credentials, id: string): Promise<unknown[]> {
  const texts = (await itemsOf(apiKey)).map((item) =>
    JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value)),
  );
  return texts.filter((text) => text.includes(id));
}

describe("while the job runs", () => {
  it("a token that would give the user access again is ABORTED", async () => {
    const as = await newDocument();
    const jobId = await erase(as);
    const userProperties = { name: zoe.name, email: zoe.email };
    const permissions = { resources: [{ type: "organization", id: organizationId, accessRole: "viewer" }] };
    const { apiKey, authToken } = as;
    const data = { apiKey, authToken, userId: zoe.userId, userProperties, permissions };
    const { error } = await call(tokenGenerate, { as, data });
    expect(error).toMatchObject({ status: "ABORTED", message: expect.stringContaining(jobId) });
  });

  it("a change of the user's profile that was in flight does not bring the user back", async () => {
    const as = await newDocument();
    await addUser(as);
    let jobId: string | undefined;
    atAwsEdge(async ({ constructor: { name } }, made) => {
      if (name === "TransactWriteCommand") jobId ??= await erase(as);
      return made();
    });
    const change = { userId: zoe.userId, name: "New", initial: "N" };
    await must(usersUpdate, { as, data: { organizationId, users: [change] } });
    vi.restoreAllMocks();
    expect(await userOf(as)).toMatchObject({ name: "New" });
    await erased(String(jobId));
    expect(User.isKnown(await userOf(as))).toBe(false);
    expect(await naming(as, '"New"')).toEqual([]);
  });

  it("calls that only name the user in content are accepted", async () => {
    const as = await newDocument();
    await erase(as);
    await addFeatures(as, { id: "l" }, { comments: [{ annotationId: "a", from: { userId: "b" }, assignedTo: zoe }] });
    const notification = { actionUser: { userId: "b" }, notifyUsers: [zoe], displayBodyMessage: "Look." };
    await must(notificationsAdd, {
      as,
      data: { ...{ organizationId, documentId, displayHeadlineMessageTemplate: "Hi" }, ...notification },
    });
  });
});

describe("after the job has failed", () => {
  it("no item names the user, and the job is retried with the same users", async () => {
    const as = await newDocument();
    const jobId = await erase(as, ["ghost-9x", "ghost-8y"]);
    expect(await naming(as, "ghost-")).toEqual([]);
    await fail(jobId);
    expect(await must(jobsStatus, { as, data: { jobId } })).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("operator"),
    });
    expect(await naming(as, "ghost-")).toEqual([]);
    await addFeatures(as, { id: "l" }, { comments: [{ annotationId: "a", from: { userId: "ghost-8y" } }] });
    await Job.retry((await Job.get(jobId)) as Job.Running, Date.now());
    await erased(jobId);
    expect(await naming(as, "ghost-")).toEqual([]);
    expect((await must(jobsStatus, { as, data: { jobId } })).receipt).toBeDefined();
  });

  it("the user can be added, until an operator retries the job; when it is done, again", async () => {
    const as = await newDocument();
    const jobId = await erase(as);
    expect((await addUser(as)).error?.status).toBe("ABORTED");
    await fail(jobId);
    expect((await addUser(as)).data).toMatchObject({ [zoe.userId]: { success: true } });
    await Job.retry((await Job.get(jobId)) as Job.Running, Date.now());
    expect((await addUser(as)).error?.status).toBe("ABORTED");
    await erased(jobId);
    expect(User.isKnown(await userOf(as))).toBe(false);
    expect((await addUser(as)).data).toMatchObject({ [zoe.userId]: { success: true } });
  });
});
