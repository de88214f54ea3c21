import { inParallel } from "../concurrency.ts";
import type { Permission } from "../schema/permissions.ts";
import * as ProviderAnswer from "../store/access/provider-answer.ts";
import type { Question } from "./resolve.ts";

const keptInFlight = 20;

/**
 * Keeps what the permission provider has answered about the user, for the user's next calls. A question without a usable
 * answer is asked again.
 */
export async function keepAnswers(
  { workspace, organizationId, userIds: [userId = ""] }: Question,
  documents: Readonly<Record<string, Permission>>,
  askedAt: number,
): Promise<void> {
  const decided = Object.entries(documents).filter(([, { errorCode }]) => errorCode !== "something_went_wrong");
  await inParallel(decided, keptInFlight, async ([documentId, answer]) => {
    await ProviderAnswer.keep({ workspace, organizationId, userId, documentId }, answer, askedAt);
  });
}
