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
  return (await wantedTypes())(type);
}

async function wantedTypes(): Promise<(type: EventType) => boolean> {
  const wanted = new Set<string>(await currentCall()?.wantedEvents?.());
  return (type) => wanted.has(type) || wanted.has(everyEvent);
}

/** The outbox jobs that carry the wanted ones of these events, as few as the sizes allow. */
export async function outboxOf(events: readonly DomainEvent[]): Promise<Job[]> {
  const workspace = events[0]?.workspace;
  if (workspace === undefined) return [];
  const isWanted = await wantedTypes();
  const groups: DomainEvent[][] = [];
  let room = 0;
  for (const event of events.filter(({ type }) => isWanted(type))) {
    const characters = JSON.stringify(event).length;
    if (characters > room) {
      groups.push([]);
      room = charactersMax;
    }
    groups.at(-1)?.push(event);
    room -= characters;
  }
  const createdAt = new Date().toISOString();
  return groups.map((group) => newJob("fanout", workspace, { events: group, createdAt }));
}
