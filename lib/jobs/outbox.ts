// Events for webhooks. They are written to the outbox in the transaction of the change. An event that no webhook
// endpoint wants is not written.
import { currentCall } from "../call.ts";
import type { EventType } from "../schema/events.ts";
import { type Job, newJob } from "./job.ts";

/** One change in an organization or in the workspace. */
export interface DomainEvent {
  type: EventType;
  workspace: string;
  /** Empty: the event is about the workspace itself. */
  organizationId: string;
  documentId?: string | undefined;
  /** Its shape is `eventSchemas[type]`. */
  data: object;
  /** Channels in addition to the organization's and the document's. */
  channels?: readonly string[];
}

/** An entry in the list of wanted event types that stands for all types. */
export const everyEvent = "*";

/** Characters of the events in one outbox job. At three bytes each, they fit an item of 400 KB. */
const charactersMax = 100_000;

/** Whether the workspace of the call wants events of this type. */
export async function isWanted(type: EventType): Promise<boolean> {
  return (await wantedTypes()).has(type);
}

/** `version`: that of the endpoints which want these types. A worker with an older list of them reads it again. */
async function wantedTypes(): Promise<{ has(type: EventType): boolean; version?: number }> {
  const { wantedEvents = [], version } = (await currentCall()?.webhooks?.()) ?? {};
  const wanted = new Set<string>(wantedEvents);
  const has = (type: EventType) => wanted.has(type) || wanted.has(everyEvent);
  return { has, ...(version !== undefined && { version }) };
}

/** Deliveries are sorted by time, then by place. So the events of one call have the order of its changes. */
interface EventPlace {
  /** ISO 8601. The same for all units that are written together. */
  createdAt: string;
  /** The place of the first of these events among the events of the call. */
  first: number;
}

/** More than the events of one unit: each has at least 100 characters, and a unit's have at most 600,000. */
const eventsPerUnit = 10_000;

/** Reserves places for the events of the units, in the order of the units. Returns the place of a unit's events. */
export function placesFor<U>(units: readonly U[]): (unit: U | undefined) => EventPlace {
  const call = currentCall();
  const before = call?.units ?? 0;
  if (call) call.units = before + units.length;
  const createdAt = new Date().toISOString();
  const indexes = new Map(units.map((unit, index) => [unit, before + index]));
  return (unit) => ({ createdAt, first: ((unit && indexes.get(unit)) ?? before) * eventsPerUnit });
}

/**
 * The outbox jobs that carry the wanted ones of these events, as few as the sizes allow. Throws for an event that is too
 * large for an item. The fields of every event are bounded far below that: its largest is a document's name of 64 KB.
 */
export async function outboxOf(events: readonly DomainEvent[], { createdAt, first }: EventPlace): Promise<Job[]> {
  const workspace = events[0]?.workspace;
  if (workspace === undefined) return [];
  const { has: isWanted, ...endpoints } = await wantedTypes();
  const groups: { first: number; events: DomainEvent[] }[] = [];
  let room = 0;
  for (const [index, event] of events.filter(({ type }) => isWanted(type)).entries()) {
    const characters = JSON.stringify(event).length;
    if (characters > charactersMax) throw new Error(`An event ${event.type} has ${characters} characters.`);
    if (characters > room) {
      groups.push({ first: first + index, events: [] });
      room = charactersMax;
    }
    groups.at(-1)?.events.push(event);
    room -= characters;
  }
  return groups.map((group) => newJob("fanout", workspace, { ...group, createdAt, ...endpoints }));
}
