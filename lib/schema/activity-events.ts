// The triggers of the activity log name each event type by group and action.
import { type EventType, eventTypes } from "./events.ts";

/** Undefined: events of this type belong to no organization, so the log has none. */
const names: Record<EventType, readonly [group: string, action: string] | undefined> = {
  "comment.add": ["comment", "added"],
  "comment.delete": ["comment", "deleted"],
  "comment.update": ["comment", "updated"],
  "comment_annotation.add": ["comment_annotation", "added"],
  "comment_annotation.assign": ["comment_annotation", "assigned"],
  "comment_annotation.delete": ["comment_annotation", "deleted"],
  "comment_annotation.priority_change": ["comment_annotation", "priority_changed"],
  "comment_annotation.status_change": ["comment_annotation", "status_changed"],
  "comment_annotation.update": ["comment_annotation", "updated"],
  "crdt.add": ["crdt", "added"],
  "crdt.delete": ["crdt", "deleted"],
  "crdt.update": ["crdt", "updated"],
  "document.add": ["document", "added"],
  "document.delete": ["document", "deleted"],
  "document.update": ["document", "updated"],
  "folder.add": ["folder", "added"],
  "folder.delete": ["folder", "deleted"],
  "folder.update": ["folder", "updated"],
  "location.data_delete": ["location", "data_deleted"],
  "location.update": ["location", "updated"],
  "migration.completed": ["migration", "completed"],
  "migration.failed": ["migration", "failed"],
  "notification.add": ["notification", "added"],
  "organization.add": ["organization", "added"],
  "organization.delete": ["organization", "deleted"],
  "organization.update": ["organization", "updated"],
  "permission.update": ["permission", "updated"],
  "presence.add": ["presence", "added"],
  "presence.delete": ["presence", "deleted"],
  "reaction.add": ["reaction", "added"],
  "reaction.delete": ["reaction", "deleted"],
  "recorder.delete": ["recorder", "deleted"],
  "recorder.done": ["recorder", "done"],
  "user.add": ["user", "added"],
  "user.delete": ["user", "deleted"],
  "user.update": ["user", "updated"],
  "usergroup.add": ["usergroup", "added"],
  "usergroup.delete": ["usergroup", "deleted"],
  "usergroup.update": ["usergroup", "updated"],
  "usergroup.user_add": ["usergroup", "user_added"],
  "usergroup.user_delete": ["usergroup", "user_deleted"],
  "webhook_endpoint.disabled": undefined,
  "webhook_endpoint.test": undefined,
};

/** The actions of each group that has triggers. */
export const triggerNames: ReadonlyMap<string, readonly string[]> = actionsByGroup();

function actionsByGroup(): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [group, action] of Object.values(names).filter((name) => name !== undefined))
    groups.set(group, [...(groups.get(group) ?? []), action]);
  return groups;
}

export type ActivityFlags = Record<string, Record<string, boolean>>;

/** The event types that an enabled log records: all whose trigger is not `false`. */
export const recordedTypes = (triggers: ActivityFlags): EventType[] =>
  eventTypes.filter((type) => {
    const [group, action] = names[type] ?? [];
    return group !== undefined && action !== undefined && triggers[group]?.[action] !== false;
  });
