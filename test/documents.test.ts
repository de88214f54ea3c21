// The documents and the comments refer only to rules, endpoints, files, headings and scripts that exist.
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endpoints, sourceOf } from "../infra/deployables.ts";
import { anchorsOf, documentNames, documentText, linksOf, rulesOf } from "./support/documents.ts";
import { root, sources } from "./support/sources.ts";

/** All texts except this file, which shows examples of citations. */
const texts = [
  ...sources("functions", "lib", "infra", "test").filter(({ file }) => file !== "test/documents.test.ts"),
  ...documentNames.map((file) => ({ file, text: documentText(file) })),
];
const decisions = documentText("lib/DECISIONS.md");
const rules = rulesOf(decisions);
const citations = texts.flatMap(({ file, text }) =>
  [...text.matchAll(/DECISIONS\.md#([\w-]*)/g)].map(([, anchor = ""]) => ({ file, anchor })),
);

describe("the rules of lib/DECISIONS.md", () => {
  it("include every cited rule (else correct the citation, or add the rule)", () => {
    const known = rules.map(({ anchor }) => anchor);
    const unknown = citations.filter(({ anchor }) => !known.includes(anchor));
    expect(unknown.map(({ file, anchor }) => `${file} cites DECISIONS.md#${anchor}`)).toEqual([]);
  });

  it("are cited (else cite the rule in the code that follows it)", () => {
    const elsewhere = citations.filter(({ file }) => file !== "lib/DECISIONS.md");
    const cited = new Set(elsewhere.map(({ anchor }) => anchor));
    const uncited = rules.filter(({ anchor }) => !cited.has(anchor));
    expect(uncited.map(({ anchor }) => `DECISIONS.md#${anchor}`)).toEqual([]);
  });

  it("have a line `Why:` and a heading of their own", () => {
    expect(rules.length).toBeGreaterThan(40);
    expect(rules.filter(({ body }) => !/^Why: ./m.test(body)).map(({ anchor }) => anchor)).toEqual([]);
    expect(new Set(rules.map(({ anchor }) => anchor)).size).toBe(rules.length);
  });

  it("are cited by heading and not by a code (else write DECISIONS.md#heading)", () => {
    const coded = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/\bdecisions? [A-Z]\d|\bcontract rule \d/gi)].map(([mention]) => `${file}: ${mention}`),
    );
    expect(coded).toEqual([]);
  });
});

/** Tables that `npm run update` writes. They grow with the declarations. */
const generated = /<!-- generated:.*?<!-- \/generated -->/gs;

it("the documents have at most 21,000 words together, besides generated tables (else cut as much as you add)", () => {
  const written = documentNames.map((name) => documentText(name).replace(generated, ""));
  expect(written.flatMap((text) => text.match(/\S+/g) ?? []).length).toBeLessThanOrEqual(21_000);
});

describe("lib/CONTRACT.md", () => {
  const entries = documentText("lib/CONTRACT.md").matchAll(/^(\d+)\. \[`(\S+)`\]\(\.\.\/([^)]+)\)/gm);

  it("has an entry with path and file for each endpoint with `contract: N`", () => {
    const written = [...entries].map(([, number, path, file]) => `${number} ${path} in ${file}`);
    const declared = endpoints.flatMap((each) =>
      each.contract === undefined ? [] : [`${each.contract} ${each.path} in ${sourceOf(each)}`],
    );
    const sorted = declared.sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
    expect(written, "correct the entry in lib/CONTRACT.md, or `contract` in the declaration").toEqual(sorted);
    expect(written).toHaveLength(26);
  });
});

describe.each(documentNames)("%s", (name) => {
  it("links to files and headings that exist", () => {
    const dead = linksOf(name).filter(({ file, anchor }) => {
      if (!existsSync(`${root}/${file}`)) return true;
      return anchor !== undefined && !anchorsOf(documentText(file)).includes(anchor);
    });
    expect(
      dead.map(({ written }) => written),
      "these links lead nowhere: correct them",
    ).toEqual([]);
  });

  it("names folders and files that exist", () => {
    const named = [...documentText(name).matchAll(/`((?:functions|infra|lib|test)\/[^`\s<*]*)`/g)];
    const missing = named.filter(([, path = ""]) => !existsSync(`${root}/${path}`));
    expect(missing.map(([, path]) => path)).toEqual([]);
  });

  it("names npm scripts that exist", () => {
    const { scripts } = JSON.parse(documentText("package.json"));
    const named = [...documentText(name).matchAll(/npm (?:run ([\w:-]+)|(test|start)\b)/g)];
    expect(named.map(([, run, own]) => String(run ?? own)).filter((script) => !(script in scripts))).toEqual([]);
  });
});
