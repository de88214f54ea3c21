// From a comment to a message: the outbox, the fan-out, the queue and one channel.
import { expect, it } from "vitest";
import { usersAdd } from "../../../functions/access/users-add.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import { message } from "../../../functions/workers/message.ts";
import { emailconfigUpdate } from "../../../functions/workspace/emailconfig-update.ts";
import type { Channel } from "../../../lib/messages/channel.ts";
import type { Digest } from "../../../lib/messages/digest.ts";
import { drainMessages } from "../../../lib/messages/drain.ts";
import { messageShards } from "../../../lib/store/waiting-message.ts";
import { type Credentials, must } from "../../support/call.ts";
import { addTo } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add, newDocument } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

const ann = { userId: "ann", name: "Ann" };
const bob = { userId: "bob", name: "Bob" };

async function withMail(): Promise<Credentials> {
  const as = await newDocument();
  await must(emailconfigUpdate, { as, data: { useEmailService: true } });
  const users = [ann, bob].map((user) => ({ ...user, email: `${user.userId}@example.com` }));
  await must(usersAdd, { as, data: { organizationId, users } });
  return as;
}

async function sentBy({ apiKey: workspace, ...as }: Credentials): Promise<[string, Digest][]> {
  const jobs = await jobsOf({ apiKey: workspace, ...as }, "fanout");
  await receive(
    fanout,
    jobs.map(({ id }) => id),
  );
  later(121);
  const sent: [string, Digest][] = [];
  const channel: Channel = {
    name: "email",
    senderOf: async () => ({
      addressOf: async (address) => ({ address }),
      send: async (digest, address) => {
        sent.push([address, digest]);
        return { isSent: true };
      },
    }),
  };
  for (const shard of messageShards) {
    expect(await drainMessages(channel, { workspace, channel: "email", shard }, Date.now() + 60_000)).toBeUndefined();
  }
  return sent;
}

it("tells the others who are involved, in one message", async () => {
  const as = await withMail();
  const first = { commentId: "c1", from: ann, text: "Shall we?", taggedUsers: [bob] };
  await add(as, { id: "page" }, { comments: [{ annotationId: "x", from: ann, comments: [first] }] });
  later(1);
  await addTo(as, [{ commentId: "c2", from: ann, text: "Please." }]);
  const sent = await sentBy(as);
  expect(sent.map(([address, { entries }]) => [address, entries.map((entry) => entry.text)])).toEqual([
    ["bob@example.com", [undefined, "Shall we?", "Please."]],
  ]);
});

it("records why nothing is sent while no sender is set", async () => {
  const as = await withMail();
  const first = { commentId: "c1", from: ann, text: "Shall we?", taggedUsers: [bob] };
  await add(as, { id: "page" }, { comments: [{ annotationId: "x", from: ann, comments: [first] }] });
  const ids = async (kind: "fanout" | "message") => (await jobsOf(as, kind)).map(({ id }) => id);
  await receive(fanout, await ids("fanout"));
  later(121);
  await receive(message, await ids("message"));
  const list = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "message");
  expect(list).toMatchObject([{ userId: "bob", state: "failed", attempts: 0, error: "No sender is set." }]);
  expect(await ids("message")).toEqual([]);
});
