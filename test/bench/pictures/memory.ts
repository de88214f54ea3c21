// The picture of memory.json: what a search of the memory reads.
import type { Picture } from "./draw.ts";
import type { Figures } from "./figures.ts";
import { growth } from "./growth.ts";
import { shown } from "./numbers.ts";

export function memorySearch({ costs, ndcg }: Figures["memory"]): Picture {
  const points = (of: "cold RCU" | "warm RCU") => costs.map((each) => ({ x: each.records, y: each[of] ?? 0 }));
  const warm = Math.max(...points("warm RCU").map(({ y }) => y));
  return growth({
    title: "Cost of a search of the memory",
    facts: [
      `The first search in a container reads all records. Later ones take at most ${shown(warm)} read units.`,
      ...(ndcg === undefined
        ? []
        : [`Quality of the results: nDCG@10 of ${ndcg.toFixed(3)} on the Cranfield collection.`]),
    ],
    x: "records in the memory",
    y: { title: "DynamoDB read units of a search", isLog: true },
    lines: [
      { name: "first", points: points("cold RCU") },
      { name: "later", points: points("warm RCU") },
    ],
  });
}
