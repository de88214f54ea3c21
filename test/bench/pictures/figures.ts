// What the benchmark has written, by the name of its JSON file.
import type { activityFigures } from "../activities/figures.ts";
import type { largeCurves } from "../large/curves.ts";
import type { LiveFigures } from "../live/figures.ts";
import type { memoryFigures } from "../memory.ts";
import type { messageFigures } from "../messages/figures.ts";
import type { Result } from "../report.ts";
import type { sizeFigures } from "../sizes.ts";
import type { webhookFigures } from "../webhooks/figures.ts";

// biome-ignore lint/suspicious/noExplicitAny: any function
type Made<F extends (...args: any[]) => unknown> = Awaited<ReturnType<F>>;

export interface Figures {
  result: Result;
  sizes: Made<typeof sizeFigures>;
  large: { curves: Made<typeof largeCurves> };
  webhooks: Made<typeof webhookFigures>;
  messages: Made<typeof messageFigures>;
  activities: Made<typeof activityFigures>;
  memory: Made<typeof memoryFigures>;
  live: LiveFigures;
}
