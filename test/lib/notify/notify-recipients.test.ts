import { afterEach, expect, it, vi } from "vitest";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { notificationsConfigSet } from "../../../functions/notifications/notifications-config-set.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { message } from "../../../functions/workers/message.ts";
import { queueOf } from "../../../lib/store/messages/waiting-message.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { must } from "../../support/call.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { leftIn } from "../../support/messages.ts";
import * as n from "../../support/notifications.ts";
import { receive } from "../../support/run-worker.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

it("wakes a queue again in a later step, if its job was due meanwhile and has ended", async () => {
  const as = await n.newDocument();
  await must(emailconfigUpdate, { as, data: { useEmailService: true, emailBatchSeconds: 0 } });
  const shardOf = (userId: string) => queueOf({ workspace: as.apiKey, channel: "email" }, { userId }).shard;
  // The first step adds the message of `u`, and the second one that of a member in the same queue.
  const member = n.numbered(50, "m").find((id) => shardOf(id) === shardOf("u")) ?? "";
  const users = ["u", member].map((userId) => ({ userId, email: `${userId}@example.com`, accessRole: "viewer" }));
  await must(usersAdd, { as, data: { organizationId, users } });
  const level = { organizationId, documentIds: ["d"], userIds: [member], config: { email: "ALL" } };
  await must(notificationsConfigSet, { as, data: level });
  await n.add(as, { notifyUsers: [{ userId: "u" }] });
  let isNext = false;
  const left: number[] = [];
  interceptStore(async ({ constructor: { name }, input }) => {
    // The read of the first page of members.
    if (name !== "QueryCommand" || !input.Limit || isNext) return;
    isNext = true;
    const woken = await jobsOf(as, "message");
    await receive(
      message,
      woken.map(({ id }) => id),
    );
    left.push(woken.length, (await jobsOf(as, "message")).length);
  });
  await n.runNotify(as);
  expect(left).toEqual([1, 0]);
  expect(await leftIn(as)).toEqual({ "waiting-message": 1, "due-message": 1 });
  expect(await jobsOf(as, "message")).toMatchObject([{ state: "waiting" }]);
});
