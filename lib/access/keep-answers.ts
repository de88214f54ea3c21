import { inParallel } from "../concurrency.ts";
import type { Permission } from "../schema/permissions.ts";
import * as ProviderAnswer from "../store/access/provider-answer.ts";
import type { Question } from "./resolve.ts";

const inFlight = 20;

/**
 * Keeps what the permission provider has answered about one user, for the user's next calls. A missing document counts as
 * denied, so that no later call tells whether it exists. A question without a usable answer is asked again.
 */
export async function keepAnswers(
  { workspace, organizationId, userIds: [userId = ""] }: Question,
  documents: Readonly<Record<string, Permission>>,
): Promise<void> {
  const decided = Object.entries(documents).filter(([, { errorCode }]) => errorCode !== "something_went_wrong");
  await inParallel(decided, inFlight, async ([documentId, { accessRole, expiresAt }]) => {
    await ProviderAnswer.keep({ workspace, organizationId, userId, documentId }, accessRole, expiresAt);
  });
}
