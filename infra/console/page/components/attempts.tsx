import { plural } from "../format.ts";
import { Time } from "./time.tsx";

interface AttemptsProps {
  attempts: number;
  nextAttemptAt: string | null | undefined;
}

/** How often something was sent, and when it is sent again. */
export function Attempts({ attempts, nextAttemptAt }: AttemptsProps) {
  return (
    <>
      {attempts > 1 && <span class="quiet">{plural(attempts, "attempt")}</span>}
      {nextAttemptAt && (
        <span class="quiet">
          next attempt <Time at={nextAttemptAt} isDue />
        </span>
      )}
    </>
  );
}
