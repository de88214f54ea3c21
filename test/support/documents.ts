// The project's Markdown files: their headings, their links and the rules of lib/DECISIONS.md.
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { root } from "./sources.ts";

const patterns = ["*.md", ".github/**/*.md", "{functions,infra,lib,test}/**/*.md"];

export const documentNames = globSync(patterns, { cwd: root }).sort();

export const documentText = (name: string) => readFileSync(`${root}/${name}`, "utf8");

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}

export interface Link {
  /** Relative to the project's root. */
  file: string;
  anchor: string | undefined;
  /** As it is written. */
  written: string;
}

/** Links to other places of the project. */
export function linksOf(name: string): Link[] {
  const text = withoutCode(documentText(name));
  const targets = [...text.matchAll(/(?<=\]\()[^)\s]+(?=\))|(?<=\bsrc(?:set)?=")[^"]+/g)].map(([target]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((written) => {
      const [path = "", anchor] = written.split("#");
      return { file: path ? posix.join(posix.dirname(name), path) : name, anchor, written };
    });
}

export interface Rule {
  anchor: string;
  body: string;
}

/** The rules of lib/DECISIONS.md. Each has a heading of the third level. */
export function rulesOf(text: string): Rule[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => ({ anchor: anchorsOf(`# ${section.split("\n", 1)[0]}`)[0] ?? "", body: section }));
}

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "");
