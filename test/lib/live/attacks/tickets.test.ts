// Tickets that open nothing, or no more than they name.
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { liveOpen } from "../../../../functions/live/live-open.ts";
import { permissionsGet } from "../../../../functions/permissions/permissions-get.ts";
import { presenceGet } from "../../../../functions/presence/presence-get.ts";
import { loadKeys } from "../../../../lib/live/keys.ts";
import { ticketOf } from "../../../../lib/live/ticket.ts";
import { removeWorkspace } from "../../../../lib/workspace/workspaces.ts";
import { type Credentials, call } from "../../../support/call.ts";
import { fakeDates, later } from "../../../support/fake-dates.ts";
import { newLiveWorkspace, newRealtime, type Opened } from "../../../support/live.ts";
import { callAs, tokenOf } from "../../../support/users.ts";
import { addDocuments, give, onDocument, organizationId } from "../../../support/workspace.ts";

// In the middle of a window.
fakeDates(Date.parse("2026-01-31T12:01:00.000Z"));

const open = async (token: string, documentId = "d"): Promise<Opened> =>
  (await callAs(token, liveOpen, { documentId })).data;

/** A workspace with two users on `d`, of whom bob also edits `other`. */
async function newWorld() {
  const realtime = await newRealtime();
  const as = await newLiveWorkspace();
  await addDocuments(as, undefined, "other");
  const tokens = { ann: await tokenOf(as, "ann"), bob: await tokenOf(as, "bob") };
  await give(as, "bob", onDocument("other", { accessRole: "editor" }));
  const [ann, bob, other] = [await open(tokens.ann), await open(tokens.bob), await open(tokens.bob, "other")];
  return { ...realtime, as, tokens, ann, bob, other };
}

const refused = "UnauthorizedException";
const partsOf = (ticket: string) => ticket.split(".") as [string, string, string];
const read = (ticket: string) => JSON.parse(Buffer.from(partsOf(ticket)[1], "base64url").toString());
const written = (fields: unknown) => Buffer.from(JSON.stringify(fields)).toString("base64url");

it("does not open the channels of another document, another user or another workspace", async () => {
  const { ann, bob, other, connect } = await newWorld();
  const elsewhere = await open(await tokenOf(await newLiveWorkspace(), "ann"));
  const page = connect(ann.ticket);
  const foreign = [other.channels.document, other.channels.awareness, bob.channels.user];
  foreign.push(...Object.values(elsewhere.channels));
  for (const { now, next } of foreign) {
    expect([await page.subscribe(now), await page.subscribe(next)]).toEqual([refused, refused]);
  }
  expect(await page.publish(other.channels.awareness.now, ["1"])).toBe(refused);
  // The name of a document is no name of a user, and the other way.
  const swapped = [
    ann.channels.document.now.replace("doc", "user"),
    ann.channels.user.now.replace("user", "doc"),
    ann.channels.user.now.replace("user", "aware"),
  ];
  for (const channel of swapped) expect(await page.subscribe(channel), channel).toBe(refused);
  expect(await page.publish(swapped[2] as string, ["1"])).toBe(refused);
});

it("ends after 180 s, to connect, to subscribe and to publish", async () => {
  const { ann, connect } = await newWorld();
  const page = connect(ann.ticket);
  const { now, next } = ann.channels.awareness;
  later(179);
  expect([await page.subscribe(now), await page.publish(now, ["1"])]).toEqual(["subscribe_success", "publish_success"]);
  later(1);
  expect([await page.subscribe(next), await page.publish(now, ["1"])]).toEqual([refused, refused]);
  const { client } = connect(ann.ticket);
  await client.say({ type: "connection_init" });
  expect(client.ended).toBe("1008");
});

it.each([
  ["a letter", /[a-z]/],
  ["a capital", /[A-Z]/],
  ["a digit", /[0-9]/],
  ["a dash or an underscore", /[-_]/],
])("is refused when %s of any part is another one", async (_, kind) => {
  const { ann, as, connect } = await newWorld();
  const keys = await loadKeys({ workspace: as.apiKey });
  if (!keys) throw new Error("The workspace has no keys.");
  // Several tickets, so that each part has each kind of character.
  const tickets = [0, 1, 2, 3, 4, 5].map((seconds) => {
    const [workspace, userId, name, document, user] = read(ann.ticket);
    const given = { workspace, userId: `${userId}ÿ~~>?${seconds}`, name, document, user };
    return ticketOf(keys, given, Date.now() + seconds * 1_000);
  });
  const changed = new Set<number>();
  for (const ticket of tickets) {
    for (const part of [0, 1, 2]) {
      const parts = partsOf(ticket);
      const at = [...(parts[part] as string)].findIndex((each) => kind.test(each));
      if (at < 0) continue;
      changed.add(part);
      const text = parts[part] as string;
      for (const other of ["A", "b", "7", "_", "-", "é", " ", "\u0000", "."]) {
        if (text[at] === other) continue;
        parts[part] = text.slice(0, at) + other + text.slice(at + 1);
        const { client } = connect(parts.join("."));
        await client.say({ type: "connection_init" });
        expect(client.ended, `part ${part} with ${JSON.stringify(other)}`).toBe("1008");
      }
    }
  }
  expect([1, 2].every((part) => changed.has(part))).toBe(true);
});

it("is refused with another payload, another key, another version, or in another spelling of the same bytes", async () => {
  const { ann, bob, connect, as } = await newWorld();
  const elsewhere = await open(await tokenOf(await newLiveWorkspace(), "ann"));
  const [version, payload, mac] = partsOf(ann.ticket);
  const [workspace, userId, name, document, user, endsAt] = read(ann.ticket);
  const forged = {
    "the payload of another user": [version, partsOf(bob.ticket)[1], mac],
    "the signature of another user": [version, payload, partsOf(bob.ticket)[2]],
    "the payload of another workspace": [version, partsOf(elsewhere.ticket)[1], mac],
    "the signature of another workspace": [version, payload, partsOf(elsewhere.ticket)[2]],
    "a later end": [version, written([workspace, userId, name, document, user, endsAt + 1]), mac],
    "another user": [version, written([workspace, "bob", name, document, user, endsAt]), mac],
    "another name": [version, written([workspace, userId, "Bob", document, user, endsAt]), mac],
    "the user's channel as a document": [version, written([workspace, userId, name, user, user, endsAt]), mac],
    "more spaces": [version, Buffer.from(` ${JSON.stringify(read(ann.ticket))}`).toString("base64url"), mac],
    "another version": ["v2", payload, mac],
    "no version": [payload, mac],
    "no signature": [version, payload, ""],
    "an empty payload": [version, "", mac],
    "a fourth part": [version, payload, mac, mac],
    "a padded signature": [version, payload, `${mac}=`],
    "a signature of no key": [version, payload, hmacOf("", `${version}.${payload}`)],
    "a signature of the workspace's id": [version, payload, hmacOf(as.apiKey, `${version}.${payload}`)],
    "a signature of the auth token": [version, payload, hmacOf(as.authToken, `${version}.${payload}`)],
  };
  for (const [what, parts] of Object.entries(forged)) {
    const { client } = connect(parts.join("."));
    await client.say({ type: "connection_init" });
    expect(client.ended, what).toBe("1008");
  }
  // The last character of 43 has two bits that say nothing.
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(mac.at(-1) as string);
  const same = `${mac.slice(0, -1)}${alphabet[last ^ 1]}`;
  expect(Buffer.from(same, "base64url")).toEqual(Buffer.from(mac, "base64url"));
  const { client } = connect([version, payload, same].join("."));
  await client.say({ type: "connection_init" });
  expect(client.ended).toBe("1008");
});

const hmacOf = (key: string, text: string) => createHmac("sha256", key).update(text).digest("base64url");

it("opens the names of its two windows only: a later and an earlier one are refused", async () => {
  const { tokens, ann: early, connect } = await newWorld();
  // The next window has begun, and the ticket still counts.
  later(150);
  const late = await open(tokens.ann);
  for (const each of ["document", "awareness", "user"] as const) {
    expect(late.channels[each].now).toBe(early.channels[each].next);
    const [later, earlier] = [late.channels[each].next, early.channels[each].now];
    expect(await connect(early.ticket).subscribe(later)).toBe(refused);
    expect(await connect(late.ticket).subscribe(earlier)).toBe(refused);
    expect(await connect(early.ticket).subscribe(late.channels[each].now)).toBe("subscribe_success");
  }
});

it.each([
  ["nothing", () => ({})],
  ["an empty one", () => ({ Authorization: "" })],
  ["the key of the workspace", ({ as }: World) => ({ Authorization: as.apiKey })],
  ["the auth token of a server", ({ as }: World) => ({ Authorization: as.authToken })],
  ["the user's token", ({ tokens }: World) => ({ Authorization: tokens.ann })],
  ["the user's token as on HTTP", ({ tokens }: World) => ({ Authorization: `Bearer ${tokens.ann}` })],
  ["the ticket as on HTTP", ({ ann }: World) => ({ Authorization: `Bearer ${ann.ticket}` })],
  ["an AWS signature of nobody", () => ({ Authorization: signatureOfNobody, "x-amz-date": "20260131T120100Z" })],
  ["an API key of AppSync", () => ({ "x-api-key": "da2-abcdefghijklmnopqrstuvwxyz" })],
])("%s in place of a ticket neither listens nor publishes", async (_, authorizationOf) => {
  const world = await newWorld();
  const { ann, connect, engine } = world;
  const authorization = { host: "local", ...authorizationOf(world) };
  const page = connect(ann.ticket);
  for (const { now } of Object.values(ann.channels)) {
    expect(await page.subscribe(now, "s", authorization)).toBe(refused);
    expect(await page.publish(now, ["1"], authorization)).toBe(refused);
  }
  const named = Object.entries(authorization).map(([name, value]) => [name.toLowerCase(), value]);
  const client = engine.client(Object.fromEntries(named));
  await client.say({ type: "connection_init" });
  expect(client.ended).toBe("1008");
});

type World = Awaited<ReturnType<typeof newWorld>>;
const signatureOfNobody =
  "AWS4-HMAC-SHA256 Credential=AKIA/20260131/eu-central-1/appsync/aws4_request, SignedHeaders=host;x-amz-date, " +
  `Signature=${"0".repeat(64)}`;

it("opens nothing on HTTP", async () => {
  const { ann, as } = await newWorld();
  const places: { headers: Record<string, string>; as?: Credentials }[] = [
    { headers: { authorization: `Bearer ${ann.ticket}` } },
    { headers: { authorization: ann.ticket } },
    { headers: {}, as: { ...as, authToken: ann.ticket } },
    { headers: {}, as: { apiKey: ann.ticket, authToken: as.authToken } },
    { headers: { "x-service-ticket": ann.ticket } },
  ];
  for (const each of places) {
    const data = { organizationId, documentId: "d" };
    for (const endpoint of [presenceGet, liveOpen, permissionsGet]) {
      const { error } = await call(endpoint, { data, ...each });
      expect(error?.status, JSON.stringify(each.headers)).toBe("PERMISSION_DENIED");
    }
  }
});

it("ends within 30 s with its workspace", async () => {
  const { ann, connect, as } = await newWorld();
  expect(await connect(ann.ticket).subscribe(ann.channels.user.now)).toBe("subscribe_success");
  await removeWorkspace({ workspace: as.apiKey });
  later(30);
  expect(await connect(ann.ticket).subscribe(ann.channels.user.now)).toBe(refused);
});
