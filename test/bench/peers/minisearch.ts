// The index of the memory's search, built with MiniSearch: of texts in memory, and of the same stems.
import MiniSearch from "minisearch";
import { stemOf, wordsOf } from "../../../lib/memory/words.ts";

export function build(texts: ReadonlyMap<string, string>): MiniSearch {
  const index = new MiniSearch({ fields: ["text"], tokenize: wordsOf, processTerm: (word) => stemOf(word) ?? null });
  index.addAll(Array.from(texts, ([id, text]) => ({ id, text })));
  return index;
}
