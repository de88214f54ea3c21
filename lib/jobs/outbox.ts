// Events for webhooks. They are written to the outbox in the transaction of the change, and only when the workspace has
// an endpoint that wants one of them.
import { currentCall } from "../call.ts";
import type { EventType } from "../schema/events.ts";
import { type Job, newJob } from "./job.ts";

/** What happened, in one organization. */
export interface DomainEvent {
  type: EventType;
  workspace: string;
  /** Empty: the event is about the workspace itself. */
  organizationId: string;
  documentId?: string | undefined;
  /** In the shape that `eventSchemas` gives for the type. */
  data: object;
  /** Channels beside the organization's and the document's. */
  channels?: readonly string[];
}

/** In the list of wanted event types: all types. */
export const everyEvent = "*";

/** Characters of one outbox item: at three bytes each it stays below the 400 KB of an item. */
const charactersMax = 100_000;

/** Whether the workspace of the call wants events of this type. */
export async function isWanted(type: EventType): Promise<boolean> {
  return (await wantedTypes())(type);
}

async function wantedTypes(): Promise<(type: EventType) => boolean> {
  const wanted = new Set<string>(await currentCall()?.wantedEvents?.());
  return (type) => wanted.has(type) || wanted.has(everyEvent);
}

/** The outbox jobs of these events, as few as their sizes allow; none when the workspace wants none of the events. */
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
