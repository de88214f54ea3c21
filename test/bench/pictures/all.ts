// The list of pictures, by the JSON file that they show.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { activityPages } from "./activities.ts";
import { draw, type Picture } from "./draw.ts";
import type { Figures } from "./figures.ts";
import { largeCalls, largeJobs } from "./large.ts";
import { liveLatency, livePeers, liveReconnects } from "./live.ts";
import { memorySearch } from "./memory.ts";
import { messageRecipients } from "./messages.ts";
import { bundles, coldCalls, warmCalls } from "./result.ts";
import { memorySizes } from "./sizes.ts";
import { deliveries, latency } from "./webhooks.ts";

export type Name = keyof Figures;

const pictures: { [N in Name]: Record<string, (figures: Figures[N]) => Picture> } = {
  result: { "result-bundles": bundles, "result-cold": coldCalls, "result-warm": warmCalls },
  sizes: { sizes: memorySizes },
  large: { "large-calls": largeCalls, "large-jobs": largeJobs },
  webhooks: { "webhooks-latency": latency, "webhooks-deliveries": deliveries },
  messages: { messages: messageRecipients },
  activities: { activities: activityPages },
  memory: { memory: memorySearch },
  live: { "live-latency": liveLatency, "live-reconnects": liveReconnects, "live-peers": livePeers },
};

const place = (file: string) => new URL(`../${file}`, import.meta.url);

/** What was measured. */
export const names = (Object.keys(pictures) as Name[]).filter((name) => existsSync(place(`${name}.json`)));

export const figuresOf = <N extends Name>(name: N): Figures[N] =>
  JSON.parse(readFileSync(place(`${name}.json`), "utf8"));

/** Draws the pictures of a JSON file. Returns the SVG texts by file name. */
export function drawn<N extends Name>(name: N, figures = figuresOf(name)): Map<string, string> {
  const files = Object.entries<(figures: Figures[N]) => Picture>(pictures[name]);
  return new Map(files.map(([file, picture]) => [`${file}.svg`, draw(picture(figures))]));
}

/** Writes the pictures of a JSON file beside it. */
export async function writePictures(name: Name): Promise<void> {
  for (const [file, svg] of drawn(name)) await writeFile(place(file), svg);
}
