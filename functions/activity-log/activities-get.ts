import * as z from "zod/mini";
import { activitiesOf } from "../../lib/activity/list-activities.ts";
import { beside } from "../../lib/concurrency.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { fillPage } from "../../lib/dynamodb/page.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { Activity, ActivityFilters } from "../../lib/schema/activity-log.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { mustBeInOrder, timeOf } from "../../lib/schema/moment.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { listTime } from "../../lib/store/features/feature-list.ts";

/** After this time a page ends with the items that it has. */
const pageMsMax = 15_000;
/** Most bytes of the page as it is sent (DECISIONS.md#sizes). */
const bytesMax = 4_000_000;

export const activitiesGet = endpoint({
  name: "activities-get",
  path: "/v2/activities/get",
  summary: "List activities",
  description: "List the activity log of an organization. A recorded event appears 15 to 20 seconds after its call.",
  grants: ["table:read"],
  data: z.object({ organizationId: OrganizationId, ...ActivityFilters, ...pageRequest }).check(mustBeInOrder),
  example: {
    organizationId: "acme",
    documentIds: ["plan"],
    eventTypes: ["comment.add", "plan.exported"],
    order: "newest",
    pageSize: 20,
  },
  reply: z.object({ activities: z.array(Activity).check(z.describe("The activities of this page.")), ...pageReply }),
  timeoutSeconds: 25,
  message: "Activities retrieved.",

  async handle({ data, caller }) {
    const { organizationId, documentIds, userIds, eventTypes, after, before, order = "newest" } = data;
    const selection = [documentIds, userIds, eventTypes, after, before, order].map((each) => each ?? null);
    const list = listing(caller, ["activities", organizationId, JSON.stringify(selection)], data);
    const organization = { workspace: caller.workspace, organizationId };
    const source = activitiesOf(organization, {
      documentIds,
      userIds,
      eventTypes,
      after: timeIn(after),
      before: timeIn(before),
      isNewestFirst: order === "newest",
    });
    const bounds = { limit: list.size, from: list.from, sizeMax: bytesMax, until: Date.now() + pageMsMax };
    const page = await beside(requireOrganization(organization), fillPage(source, bounds));
    return { activities: page.items as Activity[], nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(activitiesGet);

const timeIn = (given: string | number | undefined) => (given === undefined ? undefined : listTime(timeOf(given)));
