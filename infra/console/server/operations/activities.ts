import { Readable } from "node:stream";
import { ApiError } from "../../../../lib/errors.ts";

/** The activity log of an organization as `npm run admin -- activities export` writes it. NOT_FOUND if it has none. */
export async function exportedActivities(workspace: string, organizationId: string): Promise<Readable> {
  const Activity = await import("../../../../lib/store/activity/activity.ts");
  const { exportedLines } = await import("../../../../lib/activity/export.ts");
  const organization = { workspace, organizationId };
  // DynamoDB rejects an empty key.
  const head = organizationId === "" ? undefined : await Activity.head(organization);
  if (!head) throw new ApiError("NOT_FOUND", "The organization has no activity log.");
  return Readable.from(exportedLines(organization, head));
}
