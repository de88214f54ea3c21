// The Cranfield collection of 225 questions, and the measure nDCG@10 of retrieval quality.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Collection {
  /** Title and text, by record id. */
  texts: Map<string, string>;
  questions: { text: string; grades: Map<string, number> }[];
}

/**
 * Reads the collection from its three files; undefined if they are missing. The codes 1 to 4 become the grades 4 to 1.
 */
export function readCranfield(folder: string): Collection | undefined {
  if (!existsSync(join(folder, "cran.qry"))) return undefined;
  const parts = (file: string) => readFileSync(join(folder, file), "utf8").split(/^\.I /m).slice(1);
  const texts = parts("cran.all.1400").map((part) => {
    const [, id = "", title = "", text = ""] = part.match(/^(\d+)\n\.T\n([\s\S]*?)\.A\n[\s\S]*?\.W\n([\s\S]*)$/) ?? [];
    return [id, `${title} ${text}`] as const;
  });
  const questions = parts("cran.qry").map((part) => ({
    text: part.split(/^\.W\s*\n/m)[1] ?? "",
    grades: new Map<string, number>(),
  }));
  for (const line of readFileSync(join(folder, "cranqrel"), "utf8").trim().split("\n")) {
    const [question = "", record = "", code = ""] = line.trim().split(/\s+/);
    questions[Number(question) - 1]?.grades.set(record, code === "-1" ? 1 : 5 - Number(code));
  }
  return { texts: new Map(texts), questions };
}

/** nDCG@10 with gain 2^grade - 1 and discount log2(rank + 1). The ideal ranking has the ten best grades. */
export function ndcg(ranked: readonly string[], grades: Map<string, number>): number {
  const gain = (grade: number, index: number) => (2 ** grade - 1) / Math.log2(index + 2);
  const sum = (values: readonly number[]) =>
    values
      .slice(0, 10)
      .map(gain)
      .reduce((total, each) => total + each, 0);
  const ideal = sum([...grades.values()].toSorted((one, other) => other - one));
  return ideal === 0 ? 0 : sum(ranked.map((id) => grades.get(id) ?? 0)) / ideal;
}
