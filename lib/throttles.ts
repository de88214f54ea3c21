// Counts the requests that AWS refuses as too many. The SDK repeats most of them, so no reply and no error shows them.
import { measure } from "./call.ts";

const tooMany = /Throttl|ThroughputExceeded|RequestLimit|^LimitExceeded|TooManyRequests/;

type Next = (args: never) => Promise<unknown>;

interface Client {
  middlewareStack: { add(middleware: never, options: { step: "deserialize"; priority: "high" }): void };
}

/** Counts the throttled attempts of this client's requests in the metrics of the running call. */
export function countThrottles<C extends Client>(client: C, metric: "dynamodbThrottles" | "kmsThrottles"): C {
  const counting = (next: Next) => async (args: never) => {
    try {
      return await next(args);
    } catch (thrown) {
      const { name, CancellationReasons = [] } = thrown as { name?: string; CancellationReasons?: { Code?: string }[] };
      const names = [name, ...CancellationReasons.map(({ Code }) => Code)];
      if (names.some((each) => tooMany.test(String(each)))) measure(metric, 1);
      throw thrown;
    }
  };
  // The SDK runs this step for each attempt.
  client.middlewareStack.add(counting as never, { step: "deserialize", priority: "high" });
  return client;
}
