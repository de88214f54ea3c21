// `npm run check`: tests that need neither bundles nor engines.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/*.test.ts", "test/infra/{check,grants,settings}.test.ts", "test/lib/openapi/*.test.ts"],
    exclude: ["test/readme-receiver.test.ts"],
    reporters: ["dot"],
    // Against what hangs: a shared machine can be many times slower than a quiet one.
    testTimeout: 120_000,
  },
});
