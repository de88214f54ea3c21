import { expect, it, vi } from "vitest";
import { fanout } from "../../../functions/workers/fanout.ts";
import { message } from "../../../functions/workers/message.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import type { Credentials } from "../../support/call.ts";
import { addTo } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { ann, drained, fannedOut, mailbox, mention, messagesOf, withMail } from "../../support/messages.ts";
import { receive } from "../../support/run-worker.ts";

fakeDates();

const idsOf = async (as: Credentials, kind: "fanout" | "message") => (await jobsOf(as, kind)).map(({ id }) => id);

const denied = Object.assign(new Error("Not authorized."), { name: "AccessDeniedException" });

it("tells the others who are involved, in one message", async () => {
  const as = await withMail();
  await mention(as);
  later(1);
  await addTo(as, [{ commentId: "c2", from: ann, text: "Please." }]);
  await fannedOut(as);
  later(121);
  const box = mailbox();
  expect(await drained(as, box)).toBeUndefined();
  expect(box.sent.map(({ address, message: { entries } }) => [address, entries.map((entry) => entry.text)])).toEqual([
    ["bob@example.com", [undefined, "Shall we?", "Please."]],
  ]);
});

it("records why nothing is sent while no sender is set", async () => {
  const as = await withMail();
  await mention(as);
  await receive(fanout, await idsOf(as, "fanout"));
  later(121);
  await receive(message, await idsOf(as, "message"));
  expect(await messagesOf(as)).toMatchObject([
    { userId: "bob", state: "failed", attempts: 0, error: expect.stringContaining("emailFrom") },
  ]);
  expect(await idsOf(as, "message")).toEqual([]);
});

it("fails its job when no result of a message can be recorded", async () => {
  const as = await withMail();
  await mention(as);
  await receive(fanout, await idsOf(as, "fanout"));
  later(121);
  const [id = ""] = await idsOf(as, "message");
  atAwsEdge(async (command, call) => {
    if (JSON.stringify(command.input).includes('"Delete"')) throw denied;
    return call();
  });
  let runs = 0;
  for (let job = await Job.get(id); job?.state === "waiting"; job = await Job.get(id)) {
    expect(++runs).toBeLessThan(2 * Job.attemptsMax);
    await receive(message, [id]);
    later(600);
  }
  expect(await Job.get(id)).toMatchObject({ state: "failed" });
  // The message itself is kept. Its result is recorded as soon as it can be.
  vi.restoreAllMocks();
  await Job.retry({ id, workspace: as.apiKey }, Date.now());
  await receive(message, [id]);
  expect(await messagesOf(as)).toMatchObject([{ userId: "bob", state: "failed" }]);
});
