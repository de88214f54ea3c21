import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, transformSync } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { noDescriptions, withoutDescriptions } from "../../../infra/build/descriptions.ts";
import { root, sources } from "../../support/sources.ts";

describe("a source in a bundle", () => {
  it.each([
    ["a description alone", 'Id.check(z.describe("The user (by its id)."))', "Id"],
    ["one beside a check", 'Id.check(z.minLength(1), z.describe("A"))', "Id.check(z.minLength(1))"],
    ["one before a check", "Id.check(z.meta({ maximum: size(1) }), z.minLength(1))", "Id.check( z.minLength(1))"],
    ["one with commas and lines", "z\n  .string()\n  .check(\n    z.describe(`A (b`),\n  )", "z\n  .string()"],
  ])("lacks %s", (_, source, rest) => {
    expect(withoutDescriptions(source)).toBe(rest);
  });

  it("is valid without them, for each source", () => {
    const described = sources("functions", "lib").filter(({ text }) => /z\.(?:describe|meta)\(/.test(text));
    expect(described.length).toBeGreaterThan(100);
    for (const { file, text } of described) {
      const rest = withoutDescriptions(text);
      expect(rest, file).not.toMatch(/z\.(?:describe|meta)\(/);
      expect(() => transformSync(rest, { loader: "ts" }), file).not.toThrow();
    }
  });
});

it("a bundle has no description, and refuses what its source refuses", async () => {
  const dir = await mkdtemp(join(tmpdir(), "no-descriptions-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const outfile = join(dir, "users.mjs");
  const entryPoints = [join(root, "lib/schema/access.ts")];
  await build({ bundle: true, format: "esm", platform: "node", entryPoints, outfile, plugins: [noDescriptions] });
  expect(await readFile(outfile, "utf8")).not.toContain("by the id that you gave it");

  const bundled = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
  const { UserFields } = await import("../../../lib/schema/access.ts");
  for (const user of [{ userId: "alice", name: "Alice" }, { userId: "" }, { userId: "a", expiresAt: -1 }, {}]) {
    const [own, other] = [UserFields.safeParse(user), bundled.UserFields.safeParse(user)];
    expect([other.success, other.data, other.error?.issues]).toEqual([own.success, own.data, own.error?.issues]);
  }
});
