// What happened, for webhooks. Events are written to the outbox with the change itself, and only where the workspace
// wants one of them.
import { currentCall } from "../call.ts";
import type { EventType } from "../schema/events.ts";
import { type Job, newJob } from "./queue.ts";

/** What happened in one organization. */
export interface DomainEvent {
  type: EventType;
  workspace: string;
  /** Empty where the event is of the workspace itself. */
  organizationId: string;
  documentId?: string | undefined;
  /** As `eventSchemas` has it for the type. */
  data: object;
  /** Channels beside the organization's and the document's. */
  channels?: readonly string[];
}

/** Among a workspace's wanted events: all of them. */
export const everyEvent = "*";

/** Characters of one outbox item: at three bytes each it stays within the 400 KB that an item can have. */
const charactersMax = 100_000;

/** Whether the call's workspace wants events of this type. */
export async function isWanted(type: EventType): Promise<boolean> {
  return (await wantedTypes())(type);
}

async function wantedTypes(): Promise<(type: EventType) => boolean> {
  const wanted = new Set<string>(await currentCall()?.wantedEvents?.());
  return (type) => wanted.has(type) || wanted.has(everyEvent);
}

/** The outbox jobs of these events: as few as their sizes allow, none where the workspace wants none of them. */
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
