import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { documents, withGenerated } from "../infra/readme/parts.ts";
import { checked } from "../infra/stack/settings.ts";
import { documentText } from "./support/documents.ts";
import { root } from "./support/sources.ts";

it.each(documents)("%s has up-to-date generated parts (else run `npm run update`)", (name) => {
  const text = documentText(name);
  expect(text).toContain("<!-- generated:");
  expect(withGenerated(text)).toBe(text);
});

it("CONTRIBUTING.md names every folder of lib under The tree", () => {
  const page = documentText(".github/CONTRIBUTING.md");
  const folders = readdirSync(`${root}/lib`, { withFileTypes: true }).filter((each) => each.isDirectory());
  const unnamed = folders.map(({ name }) => `lib/${name}/`).filter((folder) => !page.includes(`| \`${folder}\` |`));
  expect(unnamed, "add a row to the table under The tree").toEqual([]);
});

it("infra/DEPLOYMENT.md names every setting of a deployment", () => {
  const page = documentText("infra/DEPLOYMENT.md");
  const unnamed = Object.keys(checked({})).filter((name) => !page.includes(`\`${name}\``));
  expect(unnamed, "add a row to the table under Configuration").toEqual([]);
});
