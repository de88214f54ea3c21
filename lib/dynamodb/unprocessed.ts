// The loop for batches: a throttled table leaves some of their requests unprocessed.
import { mayRetry, measure } from "../call.ts";
import { monotonicMs } from "../monotonic.ts";
import { BusyError } from "./busy.ts";
import { attemptsMax } from "./client.ts";

/**
 * Sends the requests until all are processed. `sendOnce` returns the unprocessed requests. Throws BusyError when nine
 * attempts in a row processed none.
 */
export async function untilProcessed<T>(requests: T[], sendOnce: (rest: T[]) => Promise<T[]>): Promise<void> {
  let rest = requests;
  let since = monotonicMs();
  for (let attempt = 1; ; attempt++) {
    const left = await sendOnce(rest);
    if (left.length === 0) return;
    measure("dynamodbThrottles", 1);
    if (left.length < rest.length) [attempt, since] = [1, monotonicMs()];
    if (attempt === attemptsMax || !(await mayRetry(attempt - 1, since))) {
      throw new BusyError(`The table left ${left.length} requests unprocessed.`);
    }
    rest = left;
  }
}
