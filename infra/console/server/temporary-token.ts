// An auth token for the time of the command, for an operator who has no key of the workspace.
import { UserError } from "../../admin/command.ts";
import type { Keys } from "./keys.ts";

/** It ends by itself if the command cannot revoke it. */
const lifeSeconds = 12 * 3_600;

export async function withToken({ apiKey }: { apiKey: string }, work: (keys: Keys) => Promise<void>): Promise<void> {
  const { createToken, revokeToken } = await import("../../../lib/workspace/auth-tokens.ts");
  const { idOf } = await import("../../../lib/store/access/auth-token.ts");
  const { ApiError } = await import("../../../lib/errors.ts");
  const expiresAt = Math.floor(Date.now() / 1_000) + lifeSeconds;
  const { authToken, record } = await createToken({ workspace: apiKey }, { name: "console", expiresAt }).catch(
    (thrown: unknown) => {
      throw thrown instanceof ApiError ? new UserError(thrown.message) : thrown;
    },
  );
  try {
    await work({ apiKey, authToken });
  } finally {
    await revokeToken({ workspace: apiKey }, idOf(record.hash), { evenLast: true });
  }
}
