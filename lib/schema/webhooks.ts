// Wire shapes of webhook endpoints.
import * as z from "zod/mini";
import { checkUrl } from "../net/url.ts";
import { EndpointId } from "./fields.ts";
import { mustBePositive, mustBeString, mustHaveAtMostCharacters } from "./messages.ts";
import { Flag, Id, IsoTime, listOf, matching, mustHaveNo, optional, Text } from "./primitives.ts";
import { mistypedEvent } from "./triggers.ts";

const urlCharactersMax = 2_048;
const eventTypeCharactersMax = 128;
const metadataBytesMax = 16_384;
const listMax = 100;

const Url = Text.check(
  z.maxLength(urlCharactersMax, mustHaveAtMostCharacters(urlCharactersMax)),
  // A host name is resolved only when the service calls the address.
  mustHaveNo(checkUrl),
  z.meta({
    format: "uri",
    description: "An http or https URL without credentials, of a public address. A fragment is dropped.",
  }),
);

export const EventTypeName = matching(
  /^[\w-]+(\.[\w-]+)*$/,
  eventTypeCharactersMax,
  "Must be words of letters, digits, _ and -, joined by dots.",
).check(z.describe("Such as comment.add."));

const FilterType = EventTypeName.check((context) => {
  const message = context.issues.length > 0 ? undefined : mistypedEvent(context.value);
  if (message !== undefined) context.issues.push({ code: "custom", input: context.value, message });
}, z.describe("Such as comment.add. An unknown type is accepted, unless it is a mistyped one."));

const channelForm = "organization:<organizationId> or document:<documentId>";

const idIn = (channel: string) => /^(?:organization|document):(.*)$/s.exec(channel)?.[1];

const Channel = z.string(mustBeString).check(
  z.refine((channel) => Id.safeParse(idIn(channel)).success, { error: `Must be ${channelForm}.` }),
  z.meta({ pattern: "^(?:organization|document):.+$", description: `${channelForm}.` }),
);

const Metadata = z.record(z.string(), z.unknown(), "Must be an object of strings.").check(
  (context) => {
    const refuse = (message: string, path?: string[]) =>
      context.issues.push({ code: "custom", input: context.value, message, ...(path && { path }) });
    // Reports one issue only: a body has room for a million wrong entries.
    const wrong = Object.keys(context.value).find((name) => typeof context.value[name] !== "string");
    if (wrong !== undefined) refuse(mustBeString, [wrong]);
    else if (Buffer.byteLength(JSON.stringify(context.value)) > metadataBytesMax) {
      refuse(`Must have at most ${metadataBytesMax} bytes as JSON.`);
    }
  },
  z.meta({ additionalProperties: { type: "string" }, description: "Strings by name. Stored, but not returned." }),
);

const RateLimit = z
  .int(mustBePositive)
  .check(z.positive(mustBePositive), z.describe("Delivery attempts that may start in one second, retries included."));

/** The fields that a creation can set and an update can change. `null` clears a field that allows it. */
export const webhookFields = {
  url: Url,
  description: optional(z.nullable(Text)).check(
    z.describe("Your note about the endpoint. Default: none. null clears it."),
  ),
  filterTypes: optional(z.nullable(listOf(FilterType, listMax))).check(
    z.describe("The types of events that it receives. Default, and null: all types."),
  ),
  channels: optional(z.nullable(listOf(Channel, listMax))).check(
    z.describe("The channels that it receives. Default, and null: all channels."),
  ),
  disabled: optional(Flag).check(
    z.describe(
      "true: it gets no deliveries, and pending ones wait. false: deliveries continue. Default of a new endpoint: false.",
    ),
  ),
  rateLimit: optional(z.nullable(RateLimit)),
  metadata: optional(z.nullable(Metadata)),
};

/** Identifies an endpoint. */
export const EndpointName = z.object({ endpointId: EndpointId });

/** An endpoint in a reply. An unset description is empty. An unset list of types is empty and stands for all types. */
export const WebhookRecord = z.object({
  id: z.string().check(z.describe("The id of the endpoint.")),
  url: z.string().check(z.meta({ format: "uri" }), z.describe("Where deliveries go.")),
  description: z.string().check(z.describe("Your note about the endpoint. Empty: none.")),
  filterTypes: z.array(EventTypeName).check(z.describe("The types of events that it receives. Empty: all types.")),
  channels: z.nullable(z.array(z.string())).check(z.describe("The channels that it receives. null: all channels.")),
  disabled: z.boolean().check(z.describe("true: it gets no deliveries, and pending ones wait. Default false.")),
  disabledReason: z
    .nullable(z.string())
    .check(z.describe("Why the service has disabled the endpoint. null: the service has not disabled it.")),
  pausedUntil: z
    .nullable(IsoTime)
    .check(
      z.describe("Deliveries wait until then: the receiver has too much to do, or asked for it. null: not paused."),
    ),
  rateLimit: z
    .nullable(z.number())
    .check(z.describe("Delivery attempts that may start in one second. null: no limit of its own.")),
  uid: z.nullable(z.string()).check(z.describe("Your own id for the endpoint. It is only stored. null: none.")),
  createdAt: IsoTime.check(z.describe("When the endpoint was created.")),
  updatedAt: IsoTime.check(z.describe("When the endpoint was last changed.")),
});
export type WebhookRecord = z.output<typeof WebhookRecord>;

const optionalText = z.nullable(z.string());
const optionalNumber = z.nullable(z.number());

export const DeliveryAttempt = z.object({
  at: IsoTime.check(z.describe("When the attempt began.")),
  durationMs: z.number().check(z.describe("How long the attempt took, in milliseconds.")),
  code: optionalNumber.check(z.describe("HTTP status of the response; null without a response.")),
  answer: optionalText.check(
    z.describe("The first 1 KB of the response's body, as text. The receiver wrote it: do not trust it."),
  ),
  error: optionalText.check(z.describe("Why the attempt got no response; null if it got one.")),
});
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;

export const DeliveryStatus = z.enum(["pending", "delivered", "failed"]);

export const WebhookDelivery = z.object({
  webhookId: z.string().check(z.describe("The id of the message, as in the header webhook-id.")),
  event: EventTypeName.check(z.describe("The type of the event.")),
  organizationId: optionalText.check(z.describe("The organization of the event. null: an event of the workspace.")),
  documentId: optionalText.check(z.describe("The document of the event. null: it has none.")),
  createdAt: IsoTime.check(z.describe("When the event happened.")),
  status: DeliveryStatus.check(
    z.describe("pending: it is sent at nextAttemptAt. delivered: the receiver took it. failed: it is not retried."),
  ),
  attempts: z.number().check(z.describe("How many attempts were made.")),
  nextAttemptAt: z.nullable(IsoTime).check(z.describe("When it is tried next. null: not again.")),
  lastAttemptAt: z.nullable(IsoTime).check(z.describe("When it was tried last. null: not yet.")),
  durationMs: optionalNumber.check(
    z.describe("How long the last attempt took, in milliseconds. null: there was none."),
  ),
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

export const WebhookSecret = z.object({
  endpointId: EndpointId,
  secret: z
    .string()
    .check(z.describe("The secret that signs deliveries, beginning with whsec_. Keep it on your server.")),
});
