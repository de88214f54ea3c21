import { expect, it, vi } from "vitest";
import { retryFailed } from "../../../lib/webhooks/retry.ts";

const log = vi.hoisted(() => ({ failed: 0 }));

vi.mock("../../../lib/store/webhooks/delivery.ts", () => ({ retrying: () => [] }));
vi.mock("../../../lib/store/webhooks/delivery-page.ts", () => ({
  loggedSince: async function* () {
    yield Array.from({ length: log.failed }, (_, index) => ({ id: `d${index}`, status: "failed" }));
  },
  withBodies: async (_: unknown, deliveries: unknown[]) => deliveries,
}));
vi.mock("../../../lib/jobs/commit.ts", () => ({ commitEach: async (units: unknown[]) => units.map(() => true) }));

it.each([
  [999, { retried: 999, hasMore: false }],
  [1_000, { retried: 1_000, hasMore: false }],
  [1_001, { retried: 1_000, hasMore: true }],
])(
  "of %i failed deliveries, retryFailed retries at most 1,000 and returns whether there are more",
  async (failed, outcome) => {
    log.failed = failed;
    expect(await retryFailed({ workspace: "w", endpointId: "e" }, { since: 0 })).toEqual(outcome);
  },
);
