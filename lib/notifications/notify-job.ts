import type * as UserGroup from "../store/access/user-group.ts";
import { type Job, newJob } from "../store/job.ts";
import type * as Notification from "../store/notifications/notification.ts";

/** `groups`: the user groups whose members the notification names. */
export function notifyJob(
  { workspace, ...pointer }: Notification.NotificationRef,
  groups: readonly UserGroup.StoredLife[] = [],
): Job {
  return newJob("notify", workspace, { ...pointer, ...(groups.length > 0 && { groups }) });
}
