import { hash } from "node:crypto";
import { type Job, newJob } from "../store/job.ts";
import type { DueQueue } from "../store/messages/waiting-message.ts";

/** The job that sends a queue of messages. Its id is a hash of the queue's name, so a queue has one such job. */
export function messageJob({ workspace, channel, shard, dueAt }: DueQueue): Job {
  const id = `message-${hash("sha256", JSON.stringify([workspace, channel, shard]), "base64url")}`;
  return { ...newJob("message", workspace, { channel, shard }), id, dueAt };
}
