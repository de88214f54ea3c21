// Clients of the same origin in several tabs. Each client is a tab: clients share nothing but the locks and the channel.
import { beforeEach, expect, it, vi } from "vitest";
import { makeBrowserClient } from "../../../../infra/client/source/browser-client.ts";
import { userToken } from "../../../support/client/user-token.ts";
import { turns } from "../../../support/turns.ts";

// biome-ignore lint/suspicious/noExplicitAny: the types of the functions are generated
type AnyClient = any;

/** The users for whom a renewal has asked for a token. */
let renewals: string[] = [];
let running = 0;
/** The most renewals at the same time. */
let together = 0;

/** Locks as a browser has them: one after another by name. */
function locks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    request(name: string, work: () => Promise<unknown>) {
      const done = (last.get(name) ?? Promise.resolve()).catch(() => undefined).then(work);
      last.set(name, done);
      return done;
    },
  };
}

beforeEach(() => {
  [renewals, running, together] = [[], 0, 0];
  vi.stubGlobal("navigator", { locks: locks() });
  return () => vi.unstubAllGlobals();
});

/** A client whose first token, of the second 1000, is refused. Its later ones are of the seconds after that. */
function tab(sub: string, fail?: () => never): AnyClient {
  let iat = 1_000;
  return makeBrowserClient("presenceGet", {
    url: "https://api.example.com",
    async getToken() {
      if (iat > 1_000) await renewed(sub, fail);
      return userToken(sub, { iat, exp: 9_000 + iat++ });
    },
    async fetch({ headers }) {
      const token = headers.get("authorization")?.slice(7) ?? "";
      const { iat } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
      return iat === 1_000
        ? Response.json({ error: { status: "UNAUTHENTICATED", message: "Ended." } }, { status: 401 })
        : Response.json({ result: { status: "success", data: { sub, iat } } });
    },
  });
}

async function renewed(sub: string, fail?: () => never): Promise<void> {
  renewals.push(sub);
  together = Math.max(together, ++running);
  await turns();
  running--;
  fail?.();
}

/** The user and the second of each call's token, or the error. */
async function callAll(...tabs: AnyClient[]): Promise<unknown[]> {
  const results = await Promise.allSettled(tabs.map((each) => each.presenceGet({})));
  return results.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)));
}

const [ann, bob] = ["ann", "bob"].map((sub) => ({ sub, iat: 1_001 }));

it("of one user get the token that one of them asks for", async () => {
  expect(await callAll(tab("ann"), tab("ann"), tab("ann"))).toEqual([ann, ann, ann]);
  expect(renewals).toEqual(["ann"]);
});

it("of several users never get the token of another", async () => {
  expect(await callAll(tab("ann"), tab("bob"), tab("ann"), tab("bob"))).toEqual([ann, bob, ann, bob]);
  expect(renewals.sort()).toEqual(["ann", "bob"]);
});

it("of one user ask one after another until one has a token", async () => {
  const fail = () => {
    throw new Error("offline");
  };
  const failed = "ApiError: getToken failed. The error's cause says why.";
  expect(await callAll(tab("ann", fail), tab("ann", fail), tab("ann"), tab("ann"))).toEqual([failed, failed, ann, ann]);
  expect([renewals.length, together]).toEqual([3, 1]);
});

it.each([
  ["there are no locks", undefined],
  ["the browser refuses locks", { request: () => Promise.reject(new DOMException("blocked", "SecurityError")) }],
])("ask each for themselves where %s", async (_, those) => {
  vi.stubGlobal("navigator", { locks: those });
  expect(await callAll(tab("ann"), tab("ann"))).toEqual([ann, ann]);
  expect(renewals).toEqual(["ann", "ann"]);
});

it("ask each for themselves where there is no channel", async () => {
  const channel = globalThis.BroadcastChannel;
  Reflect.deleteProperty(globalThis, "BroadcastChannel");
  const calls = callAll(tab("ann"), tab("ann")).finally(() => Object.assign(globalThis, { BroadcastChannel: channel }));
  expect(await calls).toEqual([ann, ann]);
  expect(renewals).toEqual(["ann", "ann"]);
});

it("take no older token from the channel, none of another user, and nothing else", async () => {
  const channel = new BroadcastChannel('collaboration-backend-client ["https://api.example.com","ws1","ann"]');
  const { request } = locks();
  const held = (name: string, work: () => Promise<unknown>) =>
    request(name, async () => {
      const older = userToken("ann", { iat: 999, exp: 9_999_999 });
      for (const each of [older, userToken("bob", { iat: 5_000 }), "a.b.c", null, { iat: 1 }])
        channel.postMessage(each);
      await turns();
      await work();
    });
  vi.stubGlobal("navigator", { locks: { request: held } });
  expect(await callAll(tab("ann")).finally(() => channel.close())).toEqual([ann]);
});
