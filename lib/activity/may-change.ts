// Whether a call may add to a log, or change it.
import { ApiError } from "../errors.ts";
import type { ActivitySetting } from "../store/setting.ts";

/** Throws FAILED_PRECONDITION while the log is off. */
export function requireEnabled({ isEnabled }: ActivitySetting): void {
  if (isEnabled) return;
  throw new ApiError(
    "FAILED_PRECONDITION",
    "The activity log is off. Set activityServiceConfig.isEnabled with /v2/workspace/activityconfig/update.",
  );
}

/** Throws FAILED_PRECONDITION while the log is immutable. */
export function requireMutable({ immutable }: ActivitySetting): void {
  if (!immutable) return;
  throw new ApiError(
    "FAILED_PRECONDITION",
    "The activity log is immutable: activityServiceConfig.immutable is true. Only an operator can unset it, with npm run admin -- activities unlock.",
  );
}
