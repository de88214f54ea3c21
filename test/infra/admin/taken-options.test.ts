import { Command } from "commander";
import { expect, it } from "vitest";
import { requireOptions } from "../../../infra/admin/taken-options.ts";

const program = new Command("p");
program.command("list").option("--stack <name>", "").option("--dry-run", "");
const env = (options: object) => ({ npm_lifecycle_event: "admin", ...options });

it("an option of a command that npm has taken is refused, with the command to write", () => {
  const taken = env({ npm_config_stack: "true", npm_config_dry_run: "" });
  expect(() => requireOptions("admin", program, ["list", "s"], taken)).toThrow("npm run admin -- list --stack s");
  expect(() => requireOptions("admin", program, ["list"], env({ npm_config_dry_run: "true" }))).toThrow("--dry-run");
  expect(() => requireOptions("admin", program, ["list"], env({}))).not.toThrow();
});
