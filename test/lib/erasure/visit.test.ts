// An erasure of users from what waits to be sent, and from the list of messages.
import { afterEach, expect, it, vi } from "vitest";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { recording } from "../../../lib/store/messages/message.ts";
import { waitingMessageEntity } from "../../../lib/store/messages/waiting-message.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { ann, at, ben, furnish, uidIn } from "../../support/furnished-table.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const queued = ["waiting-message", "due-message", "open-message", "handled-events", "message"];

/** The entities of what is queued or listed for the user in an organization. */
async function queuedFor(workspace: string, userId: string, organizationId: string): Promise<string[]> {
  const own = (item: Item) => item.userId === userId && item.organizationId === organizationId;
  const names = (await itemsOf(workspace)).filter(own).map(({ entity }) => String(entity));
  return [...new Set(names)].filter((name) => queued.includes(name)).sort();
}

const actorsOf = async (workspace: string, organizationId: string) =>
  (await itemsOf(workspace))
    .filter((item) => item.entity === waitingMessageEntity.name && item.organizationId === organizationId)
    .map(({ userId, actorId }) => [userId, actorId]);

it("removes what waits for the user, and the user from what waits for others, in the named organization only", async () => {
  const workspace = await furnish();
  const all = await queuedFor(workspace, ann, "o");
  expect(all).toEqual(queued.toSorted());
  await erased(await beginErasure(workspace, { userIds: [ann], organizationId: "o" }));
  expect(await queuedFor(workspace, ann, "o")).toEqual([]);
  expect(await queuedFor(workspace, ben, "o")).toEqual(all);
  expect(await actorsOf(workspace, "o")).toEqual([[ben, "erased-user"]]);
  expect(await queuedFor(workspace, ann, "o#2")).toEqual(all);
  expect((await actorsOf(workspace, "o#2")).sort()).toEqual([
    [ann, ben],
    [ben, ann],
  ]);
});

it("removes a message that was being sent, and is recorded after its list was read", async () => {
  const workspace = await furnish();
  const jobId = await beginErasure(workspace, { userIds: [ann] });
  let isRecorded = false;
  atAwsEdge(async (command, call) => {
    const output = await call();
    const input = JSON.stringify(command.input);
    if (command.constructor.name === "QueryCommand" && input.includes("#UM#") && !isRecorded) {
      isRecorded = true;
      const of = { organizationId: "o", documentUid: uidIn("o"), userId: ann };
      const message = { ...of, messageId: "mes-late", events: [], createdAt: new Date().toISOString(), attempts: 1 };
      await commit(recording({ workspace }, { ...message, channel: "email", state: "sent" }));
      const waiting = { ...of, generation: 0, event: "comment.add", at, origin: "late", dueAt: 0 };
      await commit([waitingMessageEntity.put({ workspace, channel: "slack", shard: 1, ...waiting }, waiting)]);
    }
    return output;
  });
  await erased(jobId);
  expect(isRecorded).toBe(true);
  expect(await queuedFor(workspace, ann, "o")).toEqual([]);
});
