import { expect, test } from "vitest";
import { sources } from "../../../support/sources.ts";

test("only these files leave the hard engine: they assert exact numbers or states", () => {
  const leaving = sources("test").filter(({ text }) => /^onPlain(Engine|Queues)\(/m.test(text));
  expect(leaving.map(({ file }) => file)).toEqual([
    "test/contract/call-limit.test.ts",
    "test/contract/kept-settings.test.ts",
    "test/functions/access/permissions-get-speed.test.ts",
    "test/functions/access/users-get-speed.test.ts",
    "test/functions/ai/agents-extract-refused.test.ts",
    "test/functions/ai/agents-extract-waits.test.ts",
    "test/functions/ai/agents-extract.test.ts",
    "test/functions/ai/memory-ask-slot.test.ts",
    "test/functions/collaboration/comments-cost.test.ts",
    "test/functions/collaboration/crdt-update-cost.test.ts",
    "test/functions/collaboration/notifications-delete.test.ts",
    "test/functions/content/documents-update-cost.test.ts",
    "test/functions/workers/draft.test.ts",
    "test/functions/workers/drain-many.test.ts",
    "test/functions/workers/notify-groups.test.ts",
    "test/functions/workers/notify-messages.test.ts",
    "test/functions/workers/notify-slots.test.ts",
    "test/functions/workers/notify.test.ts",
    "test/functions/workers/sweeper-beside.test.ts",
    "test/infra/admin/migrate-items.test.ts",
    "test/infra/local/lean-sdk.test.ts",
    "test/infra/watch/alarms-fire.test.ts",
    "test/lib/access/grant-access.test.ts",
    "test/lib/crdt/merge-editor.test.ts",
    "test/lib/dynamodb/kept.test.ts",
    "test/lib/dynamodb/write-alone.test.ts",
    "test/lib/erasure/log.test.ts",
    "test/lib/erasure/messages.test.ts",
    "test/lib/erasure/races.test.ts",
    "test/lib/format/migrate-former-writes.test.ts",
    "test/lib/format/migrate-items.test.ts",
    "test/lib/http/idempotency-claim.test.ts",
    "test/lib/memory/read-segment.test.ts",
    "test/lib/memory/search-limits.test.ts",
    "test/lib/messages/cost.test.ts",
    "test/lib/messages/fan-out-group.test.ts",
    "test/lib/messages/fan-out.test.ts",
    "test/lib/messages/limits.test.ts",
    "test/lib/store/delivery-page.test.ts",
    "test/lib/webhooks/endpoint-list.test.ts",
    "test/lib/webhooks/sparse-delivery.test.ts",
    "test/support/aws/faults.ts",
  ]);
});

/** Exact numbers of requests or units: on the hard engine, they are right most times only. */
const exactCosts = /\b(roundTrips|readUnits|writeUnits): [1-9]|\bcosts?\)?\.toEqual|(roundTrips|Units)\)\.toBe\(/;

test("a file that asserts exact costs is on the plain engine, a table in memory, or a mock", () => {
  const asserting = sources("test").filter(({ file, text }) => file.endsWith(".test.ts") && exactCosts.test(text));
  expect(asserting.length).toBeGreaterThan(10);
  // Lines of the log that a test makes up have no engine.
  const undisturbed = /^onPlainEngine\(|newTableInMemory|mockDynamo\(|callLines?\(/m;
  const hard = asserting.filter(({ text }) => !undisturbed.test(text));
  expect(hard.map(({ file }) => file)).toEqual([]);
});
