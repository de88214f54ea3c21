// What a publication does, over HTTP or a WebSocket. Facts (AWS's pages): at most 5 events of 240 KB, each a text of
// JSON; what `onPublish` returns is sent in place of the events, and an event with `error` fails alone. Assumed: one
// bad event refuses the whole request, an event that the handler leaves out counts as successful, and the codes.
import { randomUUID } from "node:crypto";
import { jsonIn } from "../../../lib/json.ts";
import { AwsError } from "../aws-json.ts";
import type { Authorization, Headers, Identity } from "./authorization.ts";
import { type Channel, channelOf } from "./channel.ts";
import type { Hub } from "./hub.ts";

const eventsMax = 5;
const eventBytesMax = 240 * 1_024;
/** All events of a request. */
export const publishBytesMax = 1.2 * 1_024 * 1_024;

interface Event {
  id: string;
  payload: unknown;
}

type Returned = Event & { error?: string | null };

/** An event as it arrived, or as it is sent. */
interface Outgoing {
  id: string;
  text: string;
  error?: string | null;
}

/** The context of APPSYNC_JS, as far as AWS's pages show it. */
export interface HandlerContext {
  identity: Identity;
  info: { channel: { path: string; segments: string[] }; channelNamespace: { name: string }; operation: "PUBLISH" };
  events: Event[];
  request: { headers: Headers; domainName: null };
  stash: object;
}

/** The handler `onPublish` of a namespace: synchronous, as APPSYNC_JS has no promises. */
export type OnPublish = (context: HandlerContext) => Returned[] | null;

/** The handlers by namespace. Each is loaded at the first publication. */
export type Handlers = Record<string, () => Promise<OnPublish>>;

export interface Published {
  successful: { identifier: string; index: number }[];
  failed: { identifier: string; index: number; code: number; message: string }[];
}

export interface Publication {
  channel: unknown;
  events: unknown;
  headers: Headers;
  isSigned?: boolean;
}

export type Publish = (publication: Publication) => Promise<Published>;

export function publisher(authorization: Authorization, hub: Hub, handlers: Handlers): Publish {
  return async ({ channel: path, events: texts, headers, isSigned = false }) => {
    const channel = channelOf(path, "publish");
    const events = eventsOf(texts);
    const identity = await authorization.publish(channel, headers, isSigned);
    const onPublish = await handlers[channel.name]?.();
    const outgoing = onPublish ? handled(onPublish, { channel, events, identity, headers }) : events;
    hub.broadcast(
      channel,
      outgoing.filter(({ error }) => !error).map(({ text }) => text),
    );
    const errors = new Map(outgoing.map(({ id, error }) => [id, error]));
    const indexed = events.map(({ id }, index) => ({ identifier: id, index, message: errors.get(id) ?? "" }));
    return {
      successful: indexed.filter(({ message }) => !message).map(({ identifier, index }) => ({ identifier, index })),
      failed: indexed.filter(({ message }) => message).map((each) => ({ ...each, code: 400 })),
    };
  };
}

function eventsOf(texts: unknown): Outgoing[] {
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > eventsMax)
    throw badRequest(`Events must be a list of 1 to ${eventsMax}.`);
  return texts.map((text) => {
    if (!isJson(text)) throw badRequest("Each event must be a text of JSON.");
    if (isTooLong(text)) throw badRequest(`An event has at most ${eventBytesMax} bytes.`);
    return { id: randomUUID(), text };
  });
}

const isJson = (text: unknown): text is string => typeof text === "string" && jsonIn(text) !== undefined;

const isTooLong = (text: string) => Buffer.byteLength(text) > eventBytesMax;

interface Handled {
  channel: Channel;
  events: Outgoing[];
  identity: Identity;
  headers: Headers;
}

/** Runs the handler on copies: what it changes reaches nobody, as in a runtime of its own. */
function handled(onPublish: OnPublish, { channel: { path, segments, name }, events, identity, headers }: Handled) {
  const { authorization: _token, ...others } = headers;
  const context: HandlerContext = {
    identity: structuredClone(identity),
    info: { channel: { path, segments: [...segments] }, channelNamespace: { name }, operation: "PUBLISH" },
    events: events.map(({ id, text }) => ({ id, payload: JSON.parse(text) })),
    request: { headers: others, domainName: null },
    stash: {},
  };
  const ids = new Set(events.map(({ id }) => id));
  return returnedBy(onPublish, context).map(({ id, payload, error }): Outgoing => {
    const text = JSON.stringify(payload) ?? "";
    if (!ids.delete(id)) throw handlerError("The handler returned an event with another id, or one twice.");
    if (!error && (text === "" || isTooLong(text))) throw handlerError("The handler returned no event, or a long one.");
    return { id, text, ...(error && { error }) };
  });
}

function returnedBy(onPublish: OnPublish, context: HandlerContext): Returned[] {
  try {
    return onPublish(context) ?? [];
  } catch (thrown) {
    throw handlerError(String(thrown));
  }
}

const badRequest = (message: string) => new AwsError("BadRequestException", message);
const handlerError = (message: string) => new AwsError("HandlerExecutionException", message);
