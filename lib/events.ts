// What happened, for webhooks. Events are written to the outbox with the change itself, and only where the workspace
// wants one of them.
import { currentCall } from "./call.ts";
import { type Job, newJob } from "./jobs.ts";

export const eventTypes = [
  "document.add",
  "document.delete",
  "folder.add",
  "organization.add",
  "permission.update",
  "user.add",
  "user.delete",
  "user.update",
  "usergroup.add",
  "usergroup.user_add",
  "usergroup.user_delete",
] as const;
export type EventType = (typeof eventTypes)[number];

export interface DomainEvent {
  type: EventType;
  workspace: string;
  organizationId: string;
  documentId?: string;
  data: Record<string, unknown>;
}

/** The outbox jobs of these events: one for all that are wanted, none where none is. */
export async function outboxOf(events: readonly DomainEvent[]): Promise<Job[]> {
  const workspace = events[0]?.workspace;
  if (workspace === undefined) return [];
  const wanted = new Set<string>(await currentCall()?.wantedEvents);
  const outgoing = events.filter((event) => wanted.has(event.type));
  return outgoing.length > 0 ? [newJob("fanout", workspace, { events: outgoing })] : [];
}
