import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { documents, withGenerated } from "../infra/readme-parts.ts";
import { checked } from "../infra/settings.ts";

const root = new URL("../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");
const alarms = readFileSync(new URL("infra/alarms.ts", root), "utf8");
const { scripts } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));

/** As code hosts make a heading's anchor. */
const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replaceAll(" ", "-"),
);

it("has its generated parts up to date: else run `npm run readme`", () => {
  expect(readme).toContain("<!-- generated:endpoints -->");
  for (const document of documents) {
    const text = readFileSync(new URL(document, root), "utf8");
    expect(withGenerated(text), document).toBe(text);
  }
});

it("has fewer than 200 lines", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThan(200);
});

it("links to files and headings that exist", () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  expect(links).not.toEqual([]);
  for (const link of links.filter((each) => !/^https?:/.test(each))) {
    const [path = "", anchor] = link.split("#");
    if (path) expect(existsSync(new URL(path, root)), link).toBe(true);
    if (anchor) expect(anchors).toContain(anchor);
  }
});

it("names folders and files that exist", () => {
  const named = [...readme.matchAll(/`((?:functions|infra|lib|test)\/[^`\s]*)`/g)].map(([, path = ""]) => path);
  for (const path of named) expect(existsSync(new URL(path, root)), path).toBe(true);
});

it("has the headings that the alarms link to", () => {
  expect(alarms).toContain("README.md#runbook-");
  expect(anchors).toEqual(expect.arrayContaining(["runbook-dead-letters", "runbook-api-errors", "runbook-sweeper"]));
});

it("names npm scripts that exist", () => {
  const named = [...readme.matchAll(/npm (?:run ([\w:-]+)|(test|start))/g)].map(([, run, own]) => run ?? own);
  expect(named.length).toBeGreaterThan(3);
  for (const name of named) expect(scripts).toHaveProperty(String(name));
});

it("names every setting of a deployment", () => {
  for (const name of Object.keys(checked({}))) expect(readme).toContain(`\`${name}\``);
});
