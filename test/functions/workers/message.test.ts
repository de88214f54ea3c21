import { expect, it } from "vitest";
import { fanout } from "../../../functions/workers/fanout.ts";
import { message } from "../../../functions/workers/message.ts";
import { addTo } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { ann, drained, fannedOut, mailbox, mention, messagesOf, withMail } from "../../support/messages.ts";
import { receive } from "../../support/run-worker.ts";

fakeDates();

it("tells the others who are involved, in one message", async () => {
  const as = await withMail();
  await mention(as);
  later(1);
  await addTo(as, [{ commentId: "c2", from: ann, text: "Please." }]);
  await fannedOut(as);
  later(121);
  const box = mailbox();
  expect(await drained(as, box)).toBeUndefined();
  expect(box.sent.map(({ address, digest: { entries } }) => [address, entries.map((entry) => entry.text)])).toEqual([
    ["bob@example.com", [undefined, "Shall we?", "Please."]],
  ]);
});

it("records why nothing is sent while no sender is set", async () => {
  const as = await withMail();
  await mention(as);
  const ids = async (kind: "fanout" | "message") => (await jobsOf(as, kind)).map(({ id }) => id);
  await receive(fanout, await ids("fanout"));
  later(121);
  await receive(message, await ids("message"));
  expect(await messagesOf(as)).toMatchObject([
    { userId: "bob", state: "failed", attempts: 0, error: expect.stringContaining("emailFrom") },
  ]);
  expect(await ids("message")).toEqual([]);
});
