import * as z from "zod/mini";
import { featuresOf, notificationsOf } from "../../lib/features/history.ts";
import { newLiveness } from "../../lib/features/liveness.ts";
import { type LivePage, pageOfLive, type Source } from "../../lib/features/page-of-live.ts";
import { openCursor, sealCursor } from "../../lib/http/cursor.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { Exported } from "../../lib/schema/features.ts";
import { ShownNotification } from "../../lib/schema/notifications.ts";
import { AccessRole, Id, optional, PageToken } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/user.ts";

/** After this, a page ends with what it has: most of what it went over was dead. */
const patienceMs = 15_000;

/** By list: where it goes on. Null: it has ended. */
type Position = Record<"comments" | "reactions" | "recordings" | "notifications", string | null>;

const message = "User data retrieved.";

export const usersDataGet = endpoint({
  name: "users-data-get",
  path: "/v2/users/data/get",
  group: "collaboration",
  contract: 17,
  summary: "Export all data of one user: profile, comments, reactions, recordings and notifications, page by page.",
  grants: ["table:read"],
  envelope: "raw",
  failureCode: true,
  data: z.object({ organizationId: Id, userId: Id, pageToken: optional(PageToken) }),
  reply: z.object({
    result: z.object({
      status: z.literal("success"),
      message: z.string(),
      data: z.object({
        profile: z.nullable(
          z.object({
            userId: z.string(),
            name: z.optional(z.string()),
            email: z.optional(z.string()),
            isAdmin: z.boolean(),
            accessRole: z.optional(AccessRole),
            expiresAt: z.optional(z.number()),
            createdAt: z.string(),
          }),
        ),
        comments: z.array(Exported.comments),
        reactions: z.array(Exported.reactions),
        recordings: z.array(Exported.recordings),
        notifications: z.array(ShownNotification),
      }),
      nextPageToken: z.nullable(z.string()),
    }),
  }),
  timeoutSeconds: 25,
  message,

  async handle({ data, caller: { workspace, record } }) {
    const { organizationId, userId, pageToken } = data;
    const question = ["users-data", organizationId, userId];
    const from = openCursor<Position>(record, question, pageToken);
    const until = Date.now() + patienceMs;
    const live = newLiveness(workspace);
    const whose = { workspace, organizationId, userId };
    const [users, comments, reactions, recordings, notifications] = await Promise.all([
      User.getMany(workspace, organizationId, [userId]),
      page("comments", featuresOf(whose, "comments", live)),
      page("reactions", featuresOf(whose, "reactions", live)),
      page("recordings", featuresOf(whose, "recordings", live)),
      page("notifications", notificationsOf(whose, live)),
    ]);
    const pages = { comments, reactions, recordings, notifications };
    const position = each(pages, ({ next }) => next ?? null);
    const hasMore = Object.values(position).some((next) => next !== null);
    const items = each(pages, (page) => page.items) as never as Record<keyof Position, never[]>;
    return {
      result: {
        status: "success" as const,
        message,
        data: { profile: profileOf(users[0]), ...items },
        nextPageToken: hasMore ? sealCursor(record, question, position) : null,
      },
    };

    async function page<Entry extends { sk: string }>(name: keyof Position, source: Source<Entry>): Promise<LivePage> {
      const after = from?.[name];
      return after === null ? { items: [] } : pageOfLive(source, after, until);
    }
  },
});
export const handler = readLambda(usersDataGet);

function each<From, To>(pages: Record<keyof Position, From>, of: (page: From) => To): Record<keyof Position, To> {
  const { comments, reactions, recordings, notifications } = pages;
  return {
    comments: of(comments),
    reactions: of(reactions),
    recordings: of(recordings),
    notifications: of(notifications),
  };
}

/** The role is shown as long as it holds. */
function profileOf(user: User.User | undefined) {
  if (!User.hasProfile(user)) return null;
  const { userId, name, email, accessRole, expiresAt, createdAt = "" } = user;
  const grant = User.isMember(user) ? { accessRole, ...(expiresAt !== undefined && { expiresAt }) } : {};
  return { userId, name, email, isAdmin: User.isMember(user) && user.isAdmin === true, createdAt, ...grant };
}
