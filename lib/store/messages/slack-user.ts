// The Slack user of a user, after a look-up by e-mail address. A found user is kept for a day. The answer "no such
// user" is kept for an hour. A look-up for each message would use up Slack's limit. The item is deleted with the user.
import { createHmac } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { hasEnded } from "../../retention.ts";
import { organizationPartition, type UserRef } from "../refs.ts";

export interface SlackUser {
  /** Differs for another token or another address. It shows neither. */
  lookup: string;
  /** Absent: Slack has no user with the address. */
  slackUserId?: string | undefined;
  ttl: number;
}

export const slackUserEntity = entity<SlackUser>()({
  name: "slack-user",
  attributes: ["lookup", "slackUserId", "ttl"],
  pk: ({ userId, ...organization }: UserRef) => `${organizationPartition(organization)}#SU#${segment(userId)}`,
  sk: () => "SLACK",
});

/** A hash of the address whose key is the token. */
export const lookupOf = (token: string, email: string): string =>
  createHmac("sha256", token).update(email.toLowerCase()).digest("base64url");

/** Undefined: there was no look-up with this token and address, or it is too old. */
export async function get(user: UserRef, lookup: string): Promise<SlackUser | undefined> {
  const found = await Table.get<SlackUser>(slackUserEntity.key(user));
  return found && found.lookup === lookup && !hasEnded(found) ? found : undefined;
}

/** Seconds. */
const kept = { found: 24 * 3_600, missing: 3_600 };

export async function keep(user: UserRef, lookup: string, slackUserId: string | undefined): Promise<void> {
  const seconds = slackUserId === undefined ? kept.missing : kept.found;
  const ttl = Math.floor(Date.now() / 1_000) + seconds;
  await writeAll([slackUserEntity.put(user, { lookup, ...(slackUserId !== undefined && { slackUserId }), ttl })]);
}
