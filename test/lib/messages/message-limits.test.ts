import { expect, it } from "vitest";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { admissionOf, dayOf, nextDay, sharedMax, shareMax } from "../../../lib/messages/message-limits.ts";
import { addressHash } from "../../../lib/store/messages/address-hash.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import {
  drained,
  fannedOut,
  fillAddress,
  leftIn,
  mailbox,
  mention,
  messagesOf,
  repeated,
  withMail,
} from "../../support/messages.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates(Date.parse("2026-05-04T10:00:00Z"));

let ids = 0;
const asked = (workspace: string, address: string, more: object = {}) =>
  admissionOf({
    queue: { workspace, channel: "email" },
    messageId: `mes_${ids++}`,
    address,
    mayBeInDigest: true,
    ...more,
  });

const day = () => dayOf(Date.now());

it("each workspace has its share of an address, and all together some more", async () => {
  const workspaces = [(await newWorkspace()).apiKey, (await newWorkspace()).apiKey];
  await addressHash("first@example.com"); // The first call of a deployment makes the key of the hashes.
  const spellings = ["Eve@Example.com", "eve@example.com", "EVE@EXAMPLE.COM"];
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, index) => asked(workspaces[index % 2] as string, spellings[index % 3] as string)),
  );
  const admitted = answers.filter((answer) => "countedOn" in answer);
  expect(admitted.length).toBe(2 * shareMax + sharedMax);
  expect(await asked(workspaces[0] as string, "eve@example.com", { mayBeInDigest: false })).toEqual({
    later: expect.any(Number),
    error: "The address has had its messages of today. This one is sent the next day.",
  });
  later(24 * 3_600);
  expect(await asked(workspaces[0] as string, "eve@example.com")).toEqual({ countedOn: "2026-05-05" });
});

it("a workspace that sends 50 messages to an address puts none of another workspace off", async () => {
  const [loud, quiet] = [(await newWorkspace()).apiKey, (await newWorkspace()).apiKey];
  const admitted = async (workspace: string, count: number) => {
    const answers: object[] = [];
    for (let each = 0; each < count; each++) answers.push(await asked(workspace, "ivy@example.com"));
    return answers.filter((answer) => "countedOn" in answer).length;
  };
  expect(await admitted(loud, 60)).toBe(50);
  expect(await admitted(quiet, 60)).toBe(shareMax);
});

it("all attempts of one day take one place", async () => {
  const { apiKey } = await newWorkspace();
  await fillAddress({ workspace: apiKey }, "fay@example.com");
  expect(await asked(apiKey, "fay@example.com", { countedOn: day() })).toEqual({ countedOn: day() });
});

it("a workspace sends as many messages a day as it may; what is too much goes the next day, and takes no place", async () => {
  const { apiKey } = await newWorkspace();
  await Workspace.setLimits({ workspace: apiKey }, { messagesPerDay: 1 });
  expect(await asked(apiKey, "gil@example.com")).toEqual({ countedOn: day() });
  const midnight = Date.parse("2026-05-05T00:00:00Z");
  for (let time = 0; time < shareMax + sharedMax; time++) {
    const answer = (await asked(apiKey, "hal@example.com")) as { later: number; error: string };
    expect(answer.error).toBe("The workspace has sent 1 messages today. This one is sent the next day.");
    expect(answer.later - midnight).toBeGreaterThanOrEqual(0);
    expect(answer.later - midnight).toBeLessThan(3_600_000);
  }
  const other = (await newWorkspace()).apiKey;
  expect(await asked(other, "hal@example.com")).toEqual({ countedOn: day() });
});

it("the next day begins at midnight in UTC, at the same time for the same id", () => {
  const now = Date.parse("2026-12-31T23:59:59.999Z");
  const begin = nextDay(now, "x");
  expect(new Date(begin).toISOString()).toMatch(/^2027-01-01T00:/);
  expect(nextDay(now - 3_600_000, "x")).toBe(begin);
  expect(nextDay(now, "y")).not.toBe(begin);
});

async function withFullAddress(): Promise<Credentials> {
  const as = await withMail();
  const address = `${as.apiKey.toLowerCase()}@example.com`;
  await must(usersAdd, { as, data: { organizationId, users: [{ userId: "bob", email: address }] } });
  await fillAddress({ workspace: as.apiKey }, "bob@example.com");
  return as;
}

it("what exceeds the limit of an address goes out as one digest after midnight, once", async () => {
  const as = await withFullAddress();
  const box = mailbox();
  const jobs = [];
  for (const annotationId of ["x", "y"]) {
    await mention(as, annotationId);
    jobs.push(...(await fannedOut(as)));
    later(121);
    await drained(as, box);
  }
  expect(box.sent).toEqual([]);
  expect(await messagesOf(as)).toMatchObject([
    { state: "digest", attempts: 0 },
    { state: "digest", attempts: 0 },
  ]);
  // A fan-out that is repeated now adds nothing to the digest.
  await repeated(jobs);
  const next = await drained(as, box);
  expect(new Date(next ?? 0).toISOString()).toMatch(/^2026-05-05T00:/);
  later((next ?? 0 - Date.now()) / 1_000);
  expect(await drained(as, box)).toBeUndefined();
  expect(box.sent.length).toBe(1);
  const annotations = box.sent[0]?.message.entries.flatMap((entry) =>
    "annotationId" in entry ? entry.annotationId : [],
  );
  expect(new Set(annotations)).toEqual(new Set(["x", "y"]));
  await repeated(jobs);
  const dueAt = await drained(as, box);
  if (dueAt !== undefined) later((dueAt - Date.now()) / 1_000);
  expect(await drained(as, box)).toBeUndefined();
  expect(box.sent.length).toBe(1);
  expect((await messagesOf(as)).map(({ state }) => state).toSorted()).toEqual(["digest", "digest", "sent"]);
  expect(await leftIn(as)).toEqual({});
});
