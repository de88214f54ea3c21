import * as z from "zod/mini";
import { shownUsers } from "../../lib/access/list-users.ts";
import { fillPage, type List, type Page, type Position } from "../../lib/dynamodb/page.ts";
import { featuresOf } from "../../lib/features/feature-history.ts";
import { newLiveness } from "../../lib/features/liveness.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { openCursor, sealCursor } from "../../lib/http/paging.ts";
import { notificationsOf } from "../../lib/notifications/notification-history.ts";
import { Exported } from "../../lib/schema/features.ts";
import { OrganizationId, UserId } from "../../lib/schema/fields.ts";
import { VisibleNotification } from "../../lib/schema/notifications.ts";
import { PageToken, pageReply } from "../../lib/schema/paging.ts";
import { CreatedAt, optional } from "../../lib/schema/primitives.ts";
import { ShownUser } from "../../lib/schema/user.ts";
import * as User from "../../lib/store/access/user.ts";
import type { OrganizationRef } from "../../lib/store/refs.ts";

/** After this time, a page ends with the items it has: most entries can point to deleted data. */
const pageMsMax = 15_000;
/** The limits of each list. A reply has four lists, so at most 4 MB. */
const ofOneList = { limit: 100, sizeMax: 1_000_000, entriesMax: Number.POSITIVE_INFINITY };

/** The sort key after which each list continues; null: the list has ended. */
type Positions = Record<"comments" | "reactions" | "recordings" | "notifications", string | null>;

const message = "User data retrieved.";

export const usersDataGet = endpoint({
  name: "users-data-get",
  path: "/v2/users/data/get",
  contract: 17,
  summary: "Export a user's data",
  description: "Export all data of one user: profile, comments, reactions, recordings and notifications, page by page.",
  grants: ["table:read"],
  envelope: "raw",
  failureCode: true,
  data: z.object({ organizationId: OrganizationId, userId: UserId, pageToken: optional(PageToken) }),
  reply: z.object({
    result: z
      .object({
        status: z.literal("success").check(z.describe("Always success: a failure has another shape.")),
        message: z.string().check(z.describe("What the call did, for a developer.")),
        data: z
          .object({
            profile: z
              .nullable(z.extend(ShownUser, { createdAt: CreatedAt }))
              .check(z.describe("The user's profile, on every page. null: the user has none.")),
            comments: z
              .array(Exported.comments)
              .check(z.describe("Comment annotations in which the user takes part, at most 100 a page.")),
            reactions: z.array(Exported.reactions).check(z.describe("Reactions of the user, at most 100 a page.")),
            recordings: z.array(Exported.recordings).check(z.describe("Recordings of the user, at most 100 a page.")),
            notifications: z
              .array(VisibleNotification)
              .check(z.describe("Notifications that the user has, at most 100 a page.")),
          })
          .check(z.describe("The user's data. The lists go on in the next pages.")),
        ...pageReply,
      })
      .check(z.describe("The result of the call.")),
  }),
  timeoutSeconds: 25,
  message,

  async handle({ data, caller: { workspace, record } }) {
    const { organizationId, userId, pageToken } = data;
    const question = ["users-data", organizationId, userId];
    const from = openCursor<Positions>(record, question, pageToken);
    const until = Date.now() + pageMsMax;
    const ref = { workspace, organizationId, userId };
    const live = newLiveness(ref);
    let stored: Promise<User.User | undefined> | undefined;
    const storedUser = () => {
      stored ??= User.get(ref);
      return stored;
    };
    const [user, comments, reactions, recordings, notifications] = await Promise.all([
      storedUser(),
      page("comments", featuresOf(ref, "comments", live)),
      page("reactions", featuresOf(ref, "reactions", live)),
      page("recordings", featuresOf(ref, "recordings", live)),
      page("notifications", notificationsOf(ref, storedUser, live)),
    ]);
    const pages = { comments, reactions, recordings, notifications };
    const positions = eachList(pages, ({ next }) => next ?? null);
    const hasMore = Object.values(positions).some((next) => next !== null);
    const items = eachList(pages, (page) => page.items) as never as Record<keyof Positions, never[]>;
    return {
      result: {
        status: "success" as const,
        message,
        data: { profile: await profileOf(ref, user), ...items },
        nextPageToken: hasMore ? sealCursor(record, question, positions) : null,
      },
    };

    async function page<E extends Position>(name: keyof Positions, list: List<E, object>): Promise<Page<object>> {
      const start = from?.[name];
      return start === null ? { items: [] } : fillPage(list, { ...ofOneList, from: start, until });
    }
  },
});
export const handler = readLambda(usersDataGet);

function eachList<From, To>(pages: Record<keyof Positions, From>, of: (page: From) => To): Record<keyof Positions, To> {
  const { comments, reactions, recordings, notifications } = pages;
  return {
    comments: of(comments),
    reactions: of(reactions),
    recordings: of(recordings),
    notifications: of(notifications),
  };
}

/** The profile. Role and expiry are absent without an active grant. */
async function profileOf(organization: OrganizationRef, user: User.User | undefined) {
  if (!User.hasProfile(user)) return null;
  const [shown] = await shownUsers(organization, [user]);
  return { ...(shown as ShownUser), createdAt: user.createdAt ?? "" };
}
