// Pictures of webhooks.json: how soon and how fast events arrive.
import { bars } from "./bars.ts";
import type { Picture } from "./draw.ts";
import type { Figures } from "./figures.ts";
import { growth, type Line } from "./growth.ts";
import { shown, times } from "./numbers.ts";

export function latency({ latencies }: Figures["webhooks"]): Picture {
  const events = latencies.reduce((sum, each) => sum + each.events, 0);
  const lineOf = (name: string, of: "p50 ms" | "p99 ms"): Line => {
    return { name, points: latencies.map((each) => ({ x: each["events a second"], y: each[of] ?? 0 })) };
  };
  return growth({
    title: "Time from the reply to a change until its webhook arrives",
    facts: [
      `All ${shown(events)} events arrived.`,
      "Client, service, table and receiver share one machine, and its load adds to the time.",
    ],
    x: "changes a second",
    y: { title: "time, ms", isLog: true },
    lines: [lineOf("99 % within", "p99 ms"), lineOf("half within", "p50 ms")],
  });
}

export function deliveries({ throughputs, dead }: Figures["webhooks"]): Picture {
  const [few, many] = [throughputs[0], throughputs.at(-1)];
  if (!few || !many) throw new Error("webhooks.json has no throughputs.");
  return bars({
    title: "Webhook deliveries a second, to one endpoint",
    facts: [
      `A backlog of ${shown(many.deliveries)} is delivered at ${times(many["a second"], few["a second"])} the rate of one of ${shown(few.deliveries)}.`,
      `For each delivery: attempts ${shown(many.attempts)}, requests to DynamoDB ${many.trips}, write units ${many.WCU}.`,
      ...dead.map(({ share }) => `Beside 10 receivers that never reply, 90 others get ${share} × their rate.`),
    ],
    x: "deliveries a second",
    bars: throughputs.map((each) => ({
      name: `Backlog of ${shown(each.deliveries)}`,
      value: each["a second"],
      colour: "a",
    })),
  });
}
