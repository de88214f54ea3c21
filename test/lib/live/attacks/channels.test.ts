// Names of channels that are none of the ticket's, and publications of pages where only functions publish.
import { beforeEach, expect, it } from "vitest";
import { documentsDataAdd } from "../../../../functions/comments/documents-data-add.ts";
import { liveOpen } from "../../../../functions/live/live-open.ts";
import { authorize, refused } from "../../../../lib/live/authorize.ts";
import { fakeDates } from "../../../support/fake-dates.ts";
import { newLiveWorkspace, newRealtime, type Opened } from "../../../support/live.ts";
import { callAs, tokenOf } from "../../../support/users.ts";

// In the middle of a window: a message goes to one channel.
fakeDates(Date.parse("2026-01-31T12:01:00.000Z"));

interface World extends Awaited<ReturnType<typeof newRealtime>> {
  token: string;
  opened: Opened;
}

let world: World;
beforeEach(async () => {
  const realtime = await newRealtime();
  const token = await tokenOf(await newLiveWorkspace(), "ann");
  world = { ...realtime, token, opened: (await callAs(token, liveOpen, { documentId: "d" })).data };
});

/** Asks the authorizer itself: AWS may pass on forms of a name that the local engine refuses. */
const asked = (channelNamespaceName: unknown, channel: unknown, operation = "EVENT_SUBSCRIBE") =>
  authorize({
    authorizationToken: world.opened.ticket,
    requestContext: { operation, channelNamespaceName, channel },
  });

const kinds = ["document", "awareness", "user"] as const;

/** Forms of a name that stand for more channels, or could be taken for it. */
const forms: Record<string, (name: string, namespace: string) => string> = {
  "all of the namespace": (_, namespace) => `/${namespace}/*`,
  "the namespace": (_, namespace) => `/${namespace}`,
  "the namespace with a slash": (_, namespace) => `/${namespace}/`,
  "all namespaces": () => "/*",
  everything: () => "*",
  nothing: () => "",
  "its beginning and a wildcard": (name) => `${name.slice(0, -1)}*`,
  "its beginning": (name) => name.slice(0, -1),
  "one letter more": (name) => `${name}a`,
  "a channel below": (name) => `${name}/more`,
  "all channels below": (name) => `${name}/*`,
  "a slash more": (name) => `${name}/`,
  "two slashes before": (name) => `/${name}`,
  "two slashes within": (name, namespace) => name.replace(`/${namespace}/`, `/${namespace}//`),
  "no slash before": (name) => name.slice(1),
  "a dot segment": (name, namespace) => name.replace(`/${namespace}/`, `/${namespace}/./`),
  "a segment and back": (name, namespace) => name.replace(`/${namespace}/`, `/${namespace}/x/../`),
  "a letter in percent form": (name) => name.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
  "the slash in percent form": (name, namespace) => name.replace(`/${namespace}/`, `/${namespace}%2f`),
  "a wildcard in percent form": (_, namespace) => `/${namespace}/%2a`,
  "capital letters": (name) => name.toUpperCase(),
  "a capital namespace": (name, namespace) => name.replace(namespace, namespace.toUpperCase()),
  "full-width letters": (name) =>
    name.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  "a combining mark": (name) => `${name}\u0301`,
  "a zero-width space": (name) => `${name}\u200b`,
  "a letter that looks like another": (name) => name.replace(/[a-z2-7]$/, "\u0430"),
  "a space after": (name) => `${name} `,
  "a new line after": (name) => `${name}\n`,
  "a null character after": (name) => `${name}\u0000`,
  "a query": (name) => `${name}?x`,
  "a fragment": (name) => `${name}#x`,
  "two names": (name) => `${name},${name}`,
  "a very long name": (name) => name + "a".repeat(1_000_000),
};

it.each(Object.entries(forms))("a name is refused as %s", async (_, form) => {
  const { connect, opened } = world;
  const page = connect(opened.ticket);
  for (const kind of kinds) {
    const { now } = opened.channels[kind];
    const namespace = now.split("/")[1] as string;
    const name = form(now, namespace);
    for (const given of [namespace, namespace.toUpperCase(), "*", "", undefined, name.split("/")[1]]) {
      expect(await asked(given, name), `${given} ${name.slice(0, 100)}`).toEqual(refused);
      expect(await asked(given, name, "EVENT_PUBLISH")).toEqual(refused);
    }
    // The engine takes some of these forms for the name itself. It then asks about the name itself.
    const isSame = name.replace(/^\/?(.*?)\/?$/, "/$1") === now;
    const outcome = await page.subscribe(name, kind);
    expect(outcome === "subscribe_success", name.slice(0, 100)).toBe(isSame);
  }
});

it.each([[["doc"]], [{ toString: "doc" }], [7], [null], [true]])(
  "a name is refused that is no text: %j",
  async (value) => {
    const { opened, connect } = world;
    for (const kind of kinds) {
      const { now } = opened.channels[kind];
      expect(await asked(value, now)).toEqual(refused);
      expect(await asked(now.split("/")[1], value)).toEqual(refused);
      expect(await asked(now.split("/")[1], [now])).toEqual(refused);
      expect(await connect(opened.ticket).subscribe(value, kind)).toBe("BadRequestException");
      expect(await connect(opened.ticket).subscribe([now], kind)).toBe("BadRequestException");
    }
  },
);

it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "other"])(
  "there is no namespace %s",
  async (name) => {
    const channel = world.opened.channels.document.now.replace("doc", name);
    for (const operation of ["EVENT_SUBSCRIBE", "EVENT_PUBLISH"])
      expect(await asked(name, channel, operation)).toEqual(refused);
  },
);

it.each(["event_subscribe", "EVENT_SUBSCRIBE ", "EVENT_DELETE", "", undefined, null, ["EVENT_SUBSCRIBE"]])(
  "there is no operation %j",
  async (operation) => {
    const { now } = world.opened.channels.document;
    const requestContext = { operation, channelNamespaceName: "doc", channel: now };
    expect(await authorize({ authorizationToken: world.opened.ticket, requestContext })).toEqual(refused);
  },
);

it("a page cannot tell others about a document or a user, not on its own channels either", async () => {
  const { connect, listenWith, opened, token } = world;
  const [page, other] = [connect(opened.ticket), await listenWith(opened)];
  const forged = JSON.stringify({ v: 1, seq: 999, kind: "document" });
  for (const kind of ["document", "user"] as const) {
    for (const channel of Object.values(opened.channels[kind])) {
      expect(await page.publish(channel, [forged])).toBe("UnauthorizedException");
      // Nor would the authorizer allow it, if the namespace asked it.
      expect(await asked(channel.split("/")[1], channel, "EVENT_PUBLISH")).toEqual(refused);
    }
  }
  const documents = { documentId: "d", location: { id: "1" }, comments: [{ annotationId: "a" }] };
  expect((await callAs(token, documentsDataAdd, documents)).status).toBe(200);
  expect(other.heard()).toEqual([{ v: 1, seq: 1, kind: "comments", ids: ["a"] }]);
});
