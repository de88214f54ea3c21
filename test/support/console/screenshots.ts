// The entry point of `npm run screenshots`. It makes pictures of the demo, and of each page of the console with the demo
// story, in both themes and two widths.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { organizationId, type Post, posterTo, tellStory } from "../../../infra/local/example-data.ts";
import { browserArguments, executablePath } from "../chromium.ts";
import { noteOf } from "../local/note-of.ts";
import { takeDemo } from "./demo-pictures.ts";
import { pagesOfStory } from "./pages.ts";
import { openReceivers } from "./receivers.ts";

const [folder] = process.argv.slice(2);
if (!folder || folder.startsWith("-") || !executablePath) {
  console.error("Usage: npm run screenshots -- FOLDER\nIt needs Chromium: install it, or set CHROMIUM to its path.");
  process.exit(1);
}
const main = fileURLToPath(new URL("../../../infra/local/main.ts", import.meta.url));
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: browserArguments });
const receivers = await openReceivers();
try {
  await withServer("--example", async (started, server) => {
    await noteOf(server, "Demo ");
    await takeDemo(browser, started.url, folder);
  });
  await withServer("--demo-ai", (started) => takeAll(browser, started, folder));
} finally {
  receivers.close();
  await browser.close();
}

async function withServer(
  option: string,
  work: (started: Ready, server: ChildProcess) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "screenshots-"));
  const server = spawn(process.execPath, [main, "--port", "0", "--data", dir, "--json", option], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    await work(await ready(server), server);
  } finally {
    server.kill("SIGINT");
    await once(server, "exit");
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Ready {
  url: string;
  console: string;
  apiKey: string;
  authToken: string;
}

async function ready({ stdout }: ChildProcess): Promise<Ready> {
  const [line] = await once(stdout as NodeJS.ReadableStream, "data");
  return JSON.parse(String(line));
}

async function takeAll(browser: Browser, started: Ready, into: string): Promise<void> {
  const post = posterTo(started);
  await tellStory(post, receivers);
  // The log has an event 15 to 20 seconds after its call.
  for (let count = 0; count < 15; await sleep(1_000)) {
    const { activities } = await post<{ activities: [] }>("/v2/activities/get", { organizationId });
    count = activities.length;
  }
  const paths = [...pagesOfStory, await failingDelivery(post)];
  const first = await browser.newContext();
  await (await first.newPage()).goto(started.console);
  const storageState = await first.storageState();
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [width, height] of [
      [1_280, 800],
      [390, 844],
    ] as const) {
      const context = await browser.newContext({ storageState, colorScheme, viewport: { width, height } });
      const page = await context.newPage();
      for (const path of paths) await take(page, started.url + path, join(into, nameOf(path, colorScheme, width)));
      await context.close();
    }
  }
}

async function take(page: Page, address: string, path: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator(".loading").first().waitFor({ state: "detached" });
  await page.screenshot({ path });
}

/** "documents-acme-plan-dark-390.png" */
function nameOf(path: string, colorScheme: string, width: number): string {
  const url = new URL(path, "http://console");
  const page = url.pathname.split("/").at(-1);
  const words = [page || "overview", ...url.searchParams.values()].map((word) => word.replace(/[^\w-].*|_.*/s, ""));
  return `${[...words, colorScheme, width].join("-")}.png`;
}

/** The address of a delivery that fails. */
async function failingDelivery(post: Post): Promise<string> {
  type Endpoints = { endpoints: { id: string; url: string }[] };
  const { endpoints } = await post<Endpoints>("/v2/workspace/advancedwebhook/endpoints/get", {});
  const endpointId = endpoints.find(({ url }) => url === receivers.failing)?.id ?? "";
  type Deliveries = { deliveries: { webhookId: string }[] };
  const { deliveries } = await post<Deliveries>("/v2/workspace/advancedwebhook/deliveries/get", { endpointId });
  const delivery = deliveries[0]?.webhookId ?? "";
  return `/console/webhooks?${new URLSearchParams({ endpoint: endpointId, delivery })}`;
}
