// Events for webhooks, messages and the activity log. The transaction of the change also writes the outbox, which is a
// job with the events, and entries of the log. An event that nobody wants is not written.

import { randomUUID } from "node:crypto";
import { causedBy, currentCall, type Interest, replyAfter } from "../call.ts";
import type { Write } from "../dynamodb/write.ts";
import type { EventType, EventValue } from "../schema/events.ts";
import { everyEvent, notifiedEvent } from "../schema/interest.ts";
import { activityEntryEntity, type LogChange, type WaitingActivity } from "../store/activity/activity-entry.ts";
import { type Job, newJob } from "../store/job.ts";
import type { DocumentUid } from "../store/refs.ts";
import { cutTexts } from "./cut-texts.ts";

/** One change in an organization or in the workspace. */
export interface DomainEvent {
  type: EventType;
  workspace: string;
  /** Empty: the event is about the workspace itself. */
  organizationId: string;
  documentId?: string | undefined;
  /**
   * For a change of an annotation: messages look the annotation up by it, because a migration changes the document's
   * id. No webhook has it.
   */
  documentUid?: DocumentUid;
  /** For messages only: users whom the event mentions newly, or to whom it assigns the annotation. */
  mentions?: readonly string[];
  /** For messages only: what the event has set. */
  value?: EventValue;
  /** Its shape is `eventSchemas[type]`. */
  data: object;
  /** The event names an erased user, so the activity log does not record it. */
  isUnrecorded?: true;
  /** It is of an import, so only the activity log has it. */
  isUnsent?: true;
  /** Only pages that listen hear of it. */
  isOnlyLive?: true;
}

/** A change of an organization's activity log. It is always recorded, for any choice of recorded events. */
export interface LoggedChange {
  type: LogChange;
  workspace: string;
  organizationId: string;
  documentId?: undefined;
  data: object;
}

/** Characters of the events in one outbox job. At three bytes each, they fit an item of 400 KB. */
const charactersMax = 100_000;

/** Deliveries are sorted by time, then by place. So the events of one call have the order of its changes. */
export interface EventPlace {
  /** ISO 8601. All units that are written together have the same time. */
  createdAt: string;
  /** The place of the first of these events among the events of the call. */
  first: number;
}

/** Digits of an event's place in its call: 10,000 places for each of a call's units. */
const placeDigits = 10;

/** The place of an event in its call, as a part of sort keys. */
export const placeKey = (place: number) => String(place).padStart(placeDigits, "0");

/** The payload of a job `fanout`. */
export interface OutboxPayload {
  /** As JSON, since clients choose fields and numbers in them: DynamoDB takes fewer, and the SDK no `constructor`. */
  eventsJson: string;
  createdAt: string;
  /** The version of the workspace's endpoints that the call read. */
  version?: number;
  /** The place of the first event among the events of its call. */
  first?: number;
  /** Ids of organizations whose activity log has new entries. */
  activities?: string[];
  /** Ids of endpoints to wake, besides the endpoints that get a delivery. */
  wake?: string[];
  /** How far the messages of the events have come (`messages/fan-out-messages.ts`). */
  messages?: object;
  /** Number of events that are done. */
  done?: number;
  /** An earlier run may have written deliveries that have ended by now. They must not be added again. */
  isRepeated?: boolean;
}

/** The events of an outbox job; none for another job. */
export const eventsIn = (payload: object): DomainEvent[] =>
  JSON.parse((payload as Partial<OutboxPayload>).eventsJson ?? "[]");

interface Outbox {
  jobs: Job[];
  /** Entries of the activity log. */
  entries: Write[];
}

/**
 * The outbox jobs have the wanted events. The log entries have the recorded events and `changes`. Their number is as
 * low as the sizes of the events allow. Throws for an event that is too large for an item even with cut texts. No
 * endpoint causes such an event.
 */
export async function outboxOf(
  all: readonly DomainEvent[],
  { createdAt, first }: EventPlace,
  changes: readonly LoggedChange[] = [],
): Promise<Outbox> {
  const events = all.filter(({ isOnlyLive }) => !isOnlyLive);
  const workspace = (events[0] ?? changes[0])?.workspace;
  if (workspace === undefined) return { jobs: [], entries: [] };
  const { isSent, isRecorded: isLogged, ...endpoints } = await interest();
  const placed = events.map((event, index) => ({ event: withCutTexts(event), place: first + index }));
  const isRecorded = ({ type, organizationId, isUnrecorded }: DomainEvent) =>
    organizationId !== "" && isLogged(type) && !isUnrecorded;
  const recorded: Placed<DomainEvent | LoggedChange>[] = [
    ...placed.filter(({ event }) => isRecorded(event)),
    ...changes.map((event, index) => ({ event, place: first + events.length + index })),
  ];
  const sent = placed.filter(({ event }) => !event.isUnsent && isSent(event.type));
  const activities = [...new Set(recorded.map(({ event }) => event.organizationId))];
  // A repeated transaction has an older time than transactions that began meanwhile.
  if (recorded.length > 0) replyAfter(createdAt);
  const groups = grouped(sent);
  if (groups.length === 0 && activities.length > 0) groups.push([]);
  const jobs = groups.map((group, index) =>
    newJob("fanout", workspace, {
      first: group[0]?.place ?? first,
      eventsJson: JSON.stringify(group.map(({ event }) => event)),
      createdAt,
      ...endpoints,
      ...(index === 0 && activities.length > 0 && { activities }),
    }),
  );
  return { jobs, entries: entriesOf(recorded, createdAt) };
}

interface Placed<Event> {
  event: Event;
  place: number;
}

/** Groups events so that each group fits an item. The order is kept. */
function grouped<Event extends { type: string }>(placed: readonly Placed<Event>[]): Placed<Event>[][] {
  const groups: Placed<Event>[][] = [];
  let room = 0;
  for (const each of placed) {
    const characters = JSON.stringify(each.event).length;
    if (characters > charactersMax) throw new Error(`An event ${each.event.type} has ${characters} characters.`);
    if (characters > room) {
      groups.push([]);
      room = charactersMax;
    }
    groups.at(-1)?.push(each);
    room -= characters;
  }
  return groups;
}

/** The entries of a transaction: one for each organization, more if they are large. */
function entriesOf(recorded: readonly Placed<DomainEvent | LoggedChange>[], at: string): Write[] {
  const { requestId: callId = "", authTokenId } = currentCall() ?? {};
  const lists = [...Map.groupBy(recorded, ({ event }) => event.organizationId).values()];
  return lists
    .flatMap((list) => grouped(list))
    .map((group) => {
      const { event, place } = group[0] as Placed<DomainEvent | LoggedChange>;
      const { workspace, organizationId } = event;
      const waiting = group.map(
        ({ event: { type, documentId, data } }): WaitingActivity => ({ type, documentId, data }),
      );
      const name = { at, callId, first: place };
      const content = { ...name, events: JSON.stringify(waiting), authTokenId, ...causedBy() };
      const ref = { workspace, organizationId, ...name, nonce: randomUUID().slice(0, 8) };
      return activityEntryEntity.put(ref, content, "absent");
    });
}

/** The event, with cut texts if it is too large. Items have it as JSON. The activity log has this JSON in JSON. */
function withCutTexts<Event extends { data: object }>(event: Event): Event {
  return JSON.stringify(event).length <= charactersMax ? event : { ...event, data: cutTexts(event.data) };
}

/** Whether a webhook endpoint or a message of the workspace of the call wants events of this type. */
export async function isWanted(type: EventType): Promise<boolean> {
  const wants = await interest();
  return wants.isSent(type) || wants.isRecorded(type);
}

/**
 * The events that the settings of the call's workspace want. `version`: of the list of endpoints that want these types.
 * A worker with an older list reads the list again.
 */
export async function interest() {
  const wants: Partial<Interest> = (await currentCall()?.webhooks?.()) ?? {};
  const { wantedEvents = [], emailEvents = [], slackEvents = [], activityEvents = [], version } = wants;
  const inMessages = [...emailEvents, ...slackEvents].filter((type) => type !== notifiedEvent);
  const sent = new Set<string>([...wantedEvents, ...inMessages]);
  const recorded = new Set<string>(activityEvents);
  return {
    isSent: (type: EventType) => sent.has(type) || sent.has(everyEvent),
    isRecorded: (type: EventType) => recorded.has(type),
    ...(version !== undefined && { version }),
  };
}
