import { beforeEach, expect, test, vi } from "vitest";
import { turns, untilHolds } from "../../../../support/turns.ts";

type MessageNames = typeof import("../../../../../infra/console/page/pages/message-names.ts");
type Call = { path: string; organizationId: string; userIds?: string[]; documentIds?: string[] };

let names: MessageNames;
let calls: Call[];
let reply: (call: Call) => Response | Promise<Response>;

const data = (found: object) => Response.json({ result: { data: { ...found, nextPageToken: null } } });
const failing = (status: string) => Response.json({ error: { status, message: "It failed." } }, { status: 500 });
const named = ({ userIds, documentIds }: Call) =>
  data({
    users: userIds?.map((userId) => ({ userId, name: `User ${userId}` })),
    documents: documentIds?.map((documentId) => ({ documentId, documentName: `Document ${documentId}` })),
  });
const wanted = (organizationId: string) => ({ organizationId, userIds: ["u"], documentIds: ["d"] });
const learn = (...organizationIds: string[]) =>
  names.learnNames(organizationIds.map(wanted), new AbortController().signal);

let loaded = 0;
/** The module without what it has learned before. */
const freshModule = (): Promise<MessageNames> =>
  import(/* @vite-ignore */ `../../../../../infra/console/page/pages/message-names.ts?load=${++loaded}`);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  names = await freshModule();
  calls = [];
  reply = named;
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
    const call: Call = { path, ...JSON.parse(body).data };
    calls.push(call);
    return reply(call);
  });
});

test("a lost connection is a failure, and what had a name keeps it", async () => {
  await learn("a");
  vi.setSystemTime(Date.now() + 600_000);
  reply = () => {
    throw new TypeError("The connection ended.");
  };
  await expect(learn("a", "b")).rejects.toMatchObject({ status: "UNREACHABLE" });
  expect(names.nameOf("user", "a", "u")).toBe("User u");
});

test("an organization that has gone has no names, and the others have theirs", async () => {
  reply = (call) => (call.organizationId === "gone" ? failing("NOT_FOUND") : named(call));
  expect(await learn("gone", "a")).toEqual(["u", "d", "User u", "Document d"]);
});

test("what is known, or has no name, is not asked for again, until names may have changed", async () => {
  reply = (call) => (call.userIds ? data({ users: [] }) : named(call));
  expect(await learn("a")).toEqual(["u", "Document d"]);
  await learn("a");
  expect(calls).toHaveLength(2);
  await learn("a", "b");
  expect(calls.slice(2).map(({ organizationId }) => organizationId)).toEqual(["b", "b"]);
  vi.setSystemTime(Date.now() + 600_000);
  reply = named;
  expect(await learn("a")).toEqual(["User u", "Document d"]);
});

test("a few organizations are asked at a time", async () => {
  const held: (() => void)[] = [];
  reply = (call) => new Promise((resolve) => held.push(() => resolve(named(call))));
  const learned = learn(...Array.from({ length: 11 }, (_, place) => `organization-${place}`));
  await turns();
  expect(calls).toHaveLength(20);
  for (const release of held.splice(0)) release();
  await untilHolds(() => calls.length === 22);
  for (const release of held) release();
  expect(await learned).toHaveLength(22);
});
