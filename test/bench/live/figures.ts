// npm run bench -- --live. It measures:
// - how soon other pages show a change, beside y-websocket and Hocuspocus
// - what live messages add to a write
// - what happens when all pages of a document lose their connections
// - the memory of the local engine
// - the cost of typical hours
// The service is that of `npm start`, with its limits of users' calls. Everything runs on this machine.
import { fileURLToPath } from "node:url";
import { buildClient } from "../../../infra/client/build.ts";
import { freePort } from "../../support/free-port.ts";
import { printTable } from "../table.ts";
import { inChromium } from "./browser.ts";
import { engineMemory } from "./engine-memory.ts";
import { hourFigures } from "./hours.ts";
import { latencies } from "./latency.ts";
import { peerFigures } from "./peers.ts";
import { startService } from "./processes.ts";
import { publishFigures } from "./publish.ts";
import { reconnects } from "./reconnect.ts";
import { after } from "./times.ts";

/** Beside the project's packages, so that the client finds Yjs. */
const client = fileURLToPath(new URL("../../../node_modules/.cache/bench-client", import.meta.url));

/** `dir`: an empty folder for the data of the service. */
export async function liveFigures(dir: string, quick: boolean) {
  const startedAt = performance.now();
  await buildClient(client);
  const engine = await engineMemory(quick ? [100] : [100, 1_000]);
  printTable("Memory of the local engine", engine);
  const service = await startService(dir, await freePort());
  try {
    const chromium = (await inChromium(service.url, quick ? 10 : 25)) ?? [];
    printTable("Two pages of the demo in Chromium: time until one shows a change of the other", chromium);
    const publish = await publishFigures(service, client, quick ? 20 : 150);
    printTable("What live messages add to a write", publish);
    const subscribers = quick ? [1, 10] : [1, 10, 100, 1_000];
    const { rows, pages, end } = await latencies(service, client, { subscribers, changes: quick ? 10 : 30 });
    printTable("Pages of one document: time until each shows a change, with its write", rows);
    const reconnect = await reconnects(service, pages);
    end();
    // The last calls of these pages still run. They would count as calls of the next pages.
    do await after(5_000);
    while (service.lines().length > 0);
    const { seconds, ...all } = reconnect;
    printTable("All of these pages lose their connections at once", [all]);
    printTable(
      "The seconds after it, five in a row",
      seconds.filter(({ calls, live }) => calls + live > 0),
    );
    const hours = await hourFigures(service, client, quick ? 4 : 12, quick ? 5 : 10);
    printTable("What one thing causes, among so many pages", hours.things);
    printTable("Typical hours, computed from these counts", hours.rows);
    const sizes = { readers: quick ? 3 : 10, changes: quick ? 10 : 50, kills: quick ? 1 : 2 };
    const peers = await peerFigures(service, client, sizes);
    printTable("One page writes, and others show it: ours, y-websocket and Hocuspocus", peers.rows);
    printTable(
      "After kill -9 of the server: changes that were acknowledged or shown. Theirs have no store",
      peers.losses,
    );
    const figures = { engine, chromium, publish, latencies: rows, reconnect, hours, peers };
    printTable("Live messages: the figures with a target", targets(figures));
    console.log(`\nIt took ${Math.round((performance.now() - startedAt) / 1_000)} seconds.`);
    return figures;
  } finally {
    await service.stop();
  }
}

export type LiveFigures = Awaited<ReturnType<typeof liveFigures>>;

function targets({ engine, chromium, publish, latencies: rows, reconnect, hours, peers }: LiveFigures) {
  const [comment, keystroke] = chromium;
  const [open, closed] = publish;
  const nobody = hours.rows.find(({ pages }) => pages === 0);
  const ours = peers.losses.filter(({ server }) => server === "ours");
  const theirs = peers.losses.filter(({ server, pages }) => server !== "ours" && pages === "are closed");
  const lost = (all: typeof ours) =>
    `${all.reduce((sum, each) => sum + each.lost, 0)} of ${all.reduce((sum, each) => sum + each.known, 0)}`;
  return [
    ["comment, Chromium, p50 ms", comment?.["p50 ms"], 60],
    ["comment, Chromium, p99 ms", comment?.["p99 ms"], 250],
    ["keystroke, Chromium, p50 ms", keystroke?.["p50 ms"], 250],
    ["keystroke, Chromium, p99 ms", keystroke?.["p99 ms"], 500],
    ...rows.flatMap((row) => [
      [`comment, ${row.pages} pages, p50 ms`, row["comment p50 ms"], row.pages === 1 ? 60 : undefined],
      [`keystroke, ${row.pages} pages, p50 ms`, row["keystroke p50 ms"], row.pages === 1 ? 250 : undefined],
    ]),
    ["added to a write by messages, p50 ms", open?.["more p50 ms"], 15],
    ["requests for messages where nobody listens", closed?.["most of them"], 0],
    [`calls a page after ${reconnect.pages} lost connections`, reconnect["calls a page"]],
    ["its share of calls in the busiest second", reconnect["share in a second"]],
    ["memory of a connection of the local engine, KB", engine.at(-2)?.["each KB"]],
    ["an hour with nobody there, $", nobody?.$, 0],
    ["lost after kill -9: ours", lost(ours), "none"],
    ["lost after kill -9, pages closed: the others", lost(theirs)],
  ].map(([figure, measured, target]) => ({ figure, measured, target }));
}
