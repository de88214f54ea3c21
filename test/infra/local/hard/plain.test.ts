import { expect, test } from "vitest";
import { sources } from "../../../support/sources.ts";

test("only these files leave the hard engine: they assert exact numbers or states", () => {
  const leaving = sources("test").filter(({ text }) => /^onPlainEngine\(/m.test(text));
  expect(leaving.map(({ file }) => file)).toEqual([
    "test/contract/call-limit.test.ts",
    "test/contract/kept-settings.test.ts",
    "test/functions/access/permissions-get-speed.test.ts",
    "test/functions/access/users-get-speed.test.ts",
    "test/functions/workers/drain-many.test.ts",
    "test/functions/workers/notify-slots.test.ts",
    "test/functions/workers/notify.test.ts",
    "test/infra/admin/migrate-items.test.ts",
    "test/infra/local/lean-sdk.test.ts",
    "test/infra/watch/alarms-fire.test.ts",
    "test/lib/dynamodb/kept.test.ts",
    "test/lib/format/migrate-former-writes.test.ts",
    "test/lib/format/migrate-items.test.ts",
    "test/lib/memory/read-segment.test.ts",
    "test/lib/memory/search-limits.test.ts",
    "test/lib/store/delivery-page.test.ts",
    "test/support/aws/faults.ts",
  ]);
});
