import { describe, expect, it, vi } from "vitest";
import { signedHeaders } from "../../../lib/live/appsync.ts";
import { authorize, refused } from "../../../lib/live/authorize.ts";
import { keysOf, loadKeys } from "../../../lib/live/keys.ts";
import { namesFrom, publishedNames } from "../../../lib/live/names.ts";
import { readTicket, type Ticket, ticketOf } from "../../../lib/live/ticket.ts";
import { Secret } from "../../../lib/secret.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";

const noon = Date.parse("2026-01-31T12:00:00.000Z");
fakeDates(noon);

const keys = keysOf({ cursorSecret: new Secret("one") });
const document = { documentUid: "d" as DocumentUid };

describe("names", () => {
  it("change with the window, and a publisher uses the former one for 30 s", () => {
    const [now, next] = namesFrom(keys, document, noon);
    expect(now).toMatch(/^[a-z2-7]{32}$/);
    expect(namesFrom(keys, document, noon + 179_999)).toEqual([now, next]);
    expect(publishedNames(keys, document, noon + 30_000)).toEqual([now]);
    expect(publishedNames(keys, document, noon + 180_000)).toEqual([next, now]);
    expect(publishedNames(keys, document, noon + 209_999)).toEqual([next, now]);
    expect(publishedNames(keys, document, noon + 210_000)).toEqual([next]);
  });

  it("differ for each workspace, document, user and life of a user", () => {
    const user = { organizationId: "o", userId: "u", generation: 0 };
    const subjects = [document, { documentUid: "e" as DocumentUid }, user, { ...user, generation: 1 }];
    const others = [
      { ...user, organizationId: "ou", userId: "" },
      { ...user, userId: "v" },
    ];
    const other = keysOf({ cursorSecret: new Secret("two") });
    const all = [...subjects, ...others].flatMap((each) => [keys, other].flatMap((own) => namesFrom(own, each, noon)));
    expect(new Set(all).size).toBe(all.length);
  });
});

const given = { workspace: "w", userId: "ann", name: "Ann", document: ["a", "b"], user: ["c", "d"] };
const read = (ticket: string) => readTicket(ticket, async ({ workspace }) => (workspace === "w" ? keys : undefined));

describe("a ticket", () => {
  it("counts for 180 s", async () => {
    const ticket = ticketOf(keys, given, noon);
    expect(await read(ticket)).toEqual({ ...given, endsAt: noon / 1_000 + 180 });
    later(179);
    expect(await read(ticket)).toBeDefined();
    later(1);
    expect(await read(ticket)).toBeUndefined();
  });

  it("does not count if a character is changed, added or missing, or under the key of another workspace", async () => {
    const ticket = ticketOf(keys, given, noon);
    for (let at = 0; at < ticket.length; at++) {
      const other = ticket[at] === "A" ? "B" : "A";
      expect(await read(ticket.slice(0, at) + other + ticket.slice(at + 1)), `${at}`).toBeUndefined();
    }
    const forms = [`${ticket}A`, ticket.slice(0, -1), ` ${ticket}`, `${ticket}\n`, "", "v1..", ticket.slice(3)];
    for (const form of forms) expect(await read(form), form).toBeUndefined();
    const others = keysOf({ cursorSecret: new Secret("two") });
    expect(await readTicket(ticket, async () => others)).toBeUndefined();
    expect(await read(ticketOf(keys, { ...given, workspace: "x" }, noon))).toBeUndefined();
  });

  it("has at most 600 bytes, without the name if that does not fit, and takes the longest id", async () => {
    const names = [namesFrom(keys, document, noon), namesFrom(keys, { ...document }, noon)];
    const full = {
      ...given,
      workspace: `ws_${"x".repeat(24)}`,
      document: names[0] as string[],
      user: names[1] as string[],
    };
    const own = (ticket: string) => readTicket(ticket, async () => keys);
    const longName = ticketOf(keys, { ...full, userId: "u".repeat(100), name: "n".repeat(200) }, noon);
    expect(longName.length).toBeLessThanOrEqual(600);
    expect((await own(longName))?.name).toBeUndefined();
    const longId = { ...full, userId: "🦜".repeat(256), name: "Ann" };
    expect((await own(ticketOf(keys, longId, noon)))?.userId).toBe(longId.userId);
  });
});

async function newTicket(more: Partial<Ticket> = {}) {
  const { apiKey: workspace } = await newWorkspace();
  const own = await loadKeys({ workspace });
  if (!own) throw new Error("The workspace has no keys.");
  return ticketOf(own, { ...given, workspace, document: ["dnow", "dnext"], user: ["unow", "unext"], ...more }, noon);
}

const ask = (authorizationToken: unknown, operation: unknown, channelNamespaceName?: unknown, channel?: unknown) =>
  authorize({
    authorizationToken,
    requestContext: { apiId: "x", accountId: "1", requestId: "r", operation, channelNamespaceName, channel },
    requestHeaders: {},
  });

describe("the authorizer", () => {
  it("lets a page connect, listen to its channels, and publish in aware, as the user of the ticket", async () => {
    const ticket = await newTicket();
    const asAnn = { isAuthorized: true, handlerContext: { userId: "ann", name: "Ann" }, ttlOverride: 0 };
    expect(await ask(ticket, "EVENT_CONNECT")).toEqual(asAnn);
    const listening = ["/doc/dnow", "/doc/dnext", "/aware/dnow", "/aware/dnext", "/user/unow", "/user/unext"];
    for (const channel of listening) {
      const namespace = channel.split("/")[1];
      expect(await ask(ticket, "EVENT_SUBSCRIBE", namespace, channel), channel).toEqual(asAnn);
      const mayPublish = namespace === "aware";
      expect((await ask(ticket, "EVENT_PUBLISH", namespace, channel)).isAuthorized, channel).toBe(mayPublish);
    }
  });

  it.each([
    ["doc", "/doc/other"],
    ["doc", "/doc/*"],
    ["doc", "/doc"],
    ["doc", "/*"],
    ["doc", "/doc/dnow/more"],
    ["doc", "/doc/dnow/"],
    ["doc", "//doc/dnow"],
    ["doc", "doc/dnow"],
    ["doc", "/doc/%64now"],
    ["doc", "/doc/DNOW"],
    ["doc", "/user/dnow"],
    ["user", "/user/dnow"],
    ["user", "/doc/dnow"],
    ["aware", "/aware/unow"],
    ["constructor", "/constructor/dnow"],
    [undefined, undefined],
    [["doc"], ["/doc/dnow"]],
  ])("refuses to subscribe to %s %s", async (namespace, channel) => {
    expect(await ask(await newTicket(), "EVENT_SUBSCRIBE", namespace, channel)).toEqual(refused);
  });

  it("refuses other operations, other tokens, and the ticket of a workspace that was deleted", async () => {
    const ticket = await newTicket();
    expect(await ask(ticket, "EVENT_DELETE", "doc", "/doc/dnow")).toEqual(refused);
    for (const token of [undefined, "", "v1.x.y", 1, "x".repeat(1_000_000), await newTicket({ workspace: "gone" })]) {
      expect(await ask(token, "EVENT_CONNECT")).toEqual(refused);
    }
    for (const event of [undefined, null, {}, { authorizationToken: ticket }])
      expect(await authorize(event)).toEqual(refused);
    later(180);
    expect(await ask(ticket, "EVENT_CONNECT")).toEqual(refused);
  });
});

it("signs a request as AWS's own code does", () => {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKID");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("AWS_SESSION_TOKEN", "token");
  const url = new URL("https://x.appsync-api.eu-central-1.amazonaws.com/event");
  const { authorization } = signedHeaders(url, '{"channel":"doc/a","events":["{}"]}', new Date(noon + 123));
  vi.unstubAllEnvs();
  // From @smithy/signature-v4, for the same request.
  expect(authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKID/20260131/eu-central-1/appsync/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=fa30f55654577647b06d2914383812a640b6802e77f1bcf42daf62a0c46a737a",
  );
});
