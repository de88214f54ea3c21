// The tests of `npm run check`, which need neither bundles nor engines.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: [
      "test/*.test.ts",
      "test/bench/*.test.ts",
      "test/contract/request-fields.test.ts",
      "test/infra/{check,grants,settings}.test.ts",
      "test/lib/openapi/*.test.ts",
    ],
    exclude: ["test/readme-receiver.test.ts", "test/readme-messages.test.ts"],
    reporters: ["dot"],
    // Only for tests that never end: a busy machine can be many times slower than an idle one.
    testTimeout: 120_000,
  },
});
