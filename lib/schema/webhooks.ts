// Wire shapes of webhook endpoints.
import * as z from "zod/mini";
import { mustBePositive, mustBeString, mustHaveAtMostCharacters, mustNotBeEmpty } from "./messages.ts";
import { Flag, Id, IsoTime, listOf, optional, Text } from "./primitives.ts";
import { mustBeCallable } from "./url.ts";

const urlCharactersMax = 2_048;
const eventTypeCharactersMax = 128;
const channelCharactersMax = 600;
const metadataBytesMax = 16_384;
const listMax = 100;

const Url = Text.check(
  z.maxLength(urlCharactersMax, mustHaveAtMostCharacters(urlCharactersMax)),
  mustBeCallable,
  z.meta({
    format: "uri",
    description: "An http or https URL without credentials, of a public address. A fragment is dropped.",
  }),
);

export const EventTypeName = z
  .string(mustBeString)
  .check(
    z.maxLength(eventTypeCharactersMax, mustHaveAtMostCharacters(eventTypeCharactersMax)),
    z.regex(/^[\w-]+(\.[\w-]+)*$/, "Must be words of letters, digits, _ and -, joined by dots."),
    z.describe("Such as comment.add. Unknown types are accepted."),
  );

const Channel = z
  .string(mustBeString)
  .check(
    z.minLength(1, mustNotBeEmpty),
    z.maxLength(channelCharactersMax, mustHaveAtMostCharacters(channelCharactersMax)),
    z.describe("organization:<organizationId> or document:<documentId>."),
  );

const Metadata = z.record(z.string(), z.unknown(), "Must be an object of strings.").check((context) => {
  const refuse = (message: string, path?: string[]) =>
    context.issues.push({ code: "custom", input: context.value, message, ...(path && { path }) });
  // Reports one issue only: a body has room for a million wrong entries.
  const wrong = Object.keys(context.value).find((name) => typeof context.value[name] !== "string");
  if (wrong !== undefined) refuse(mustBeString, [wrong]);
  else if (Buffer.byteLength(JSON.stringify(context.value)) > metadataBytesMax) {
    refuse(`Must have at most ${metadataBytesMax} bytes as JSON.`);
  }
}, z.describe("Strings by name. Stored, but not returned."));

const RateLimit = z
  .int(mustBePositive)
  .check(z.positive(mustBePositive), z.describe("Delivery attempts that may start in one second, retries included."));

/** The fields that a creation can set and an update can change. `null` clears a field that allows it. */
export const webhookFields = {
  url: Url,
  description: optional(z.nullable(Text)),
  filterTypes: optional(z.nullable(listOf(EventTypeName, listMax))),
  channels: optional(z.nullable(listOf(Channel, listMax))),
  disabled: optional(Flag),
  rateLimit: optional(z.nullable(RateLimit)),
  metadata: optional(z.nullable(Metadata)),
};

/** Identifies an endpoint. */
export const EndpointName = z.object({ endpointId: Id });

/** An endpoint in a reply. An unset description is empty, and an unset list of types too: it stands for all types. */
export const WebhookRecord = z.object({
  id: z.string(),
  url: z.string().check(z.meta({ format: "uri" })),
  description: z.string(),
  filterTypes: z.array(EventTypeName),
  channels: z.nullable(z.array(z.string())),
  disabled: z.boolean(),
  rateLimit: z.nullable(z.number()),
  uid: z.nullable(z.string()),
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type WebhookRecord = z.output<typeof WebhookRecord>;

const optionalText = z.nullable(z.string());
const optionalNumber = z.nullable(z.number());

export const DeliveryAttempt = z.object({
  at: IsoTime,
  durationMs: z.number(),
  code: optionalNumber.check(z.describe("HTTP status of the response; null without a response.")),
  answer: optionalText.check(
    z.describe("The first 1 KB of the response's body, as text. The receiver wrote it: do not trust it."),
  ),
  error: optionalText.check(z.describe("Why the attempt got no response; null if it got one.")),
});
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;

export const WebhookDelivery = z.object({
  webhookId: z.string(),
  event: EventTypeName,
  createdAt: IsoTime,
  status: z.enum(["pending", "delivered", "failed"]),
  attempts: z.number(),
  nextAttemptAt: z.nullable(IsoTime),
  lastAttemptAt: z.nullable(IsoTime),
  durationMs: optionalNumber,
  code: optionalNumber.check(z.describe("HTTP status of the last response; null without a response.")),
  answer: optionalText.check(z.describe("The first 1 KB of the last response's body.")),
  error: optionalText.check(z.describe("Why the last attempt got no response; null if it got one.")),
  payload: optional(
    optionalText.check(
      z.describe("The body of the request as it is sent. Only with deliveryId; null if it was not kept."),
    ),
  ),
  attemptLog: optional(
    z
      .array(DeliveryAttempt)
      .check(z.describe("The attempts, the oldest first. Only with deliveryId. At most 16: older ones are dropped.")),
  ),
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WebhookSecret = z.object({ endpointId: z.string(), secret: z.string() });
