// A headless Chromium for tests.
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";
import { browserArguments, executablePath } from "./chromium.ts";

/** For `describe.skipIf`. Says on the terminal that the tests of this file are skipped. */
export function lacksBrowser(): boolean {
  if (executablePath !== undefined) return false;
  process.stderr.write("No Chromium is installed, so the tests of the console in a browser are SKIPPED.\n");
  return true;
}

let started: Promise<Browser> | undefined;

/** The browser of a test file. It is closed after the file. */
function browser(): Promise<Browser> {
  started ??= chromium.launch({ executablePath: executablePath ?? "", args: browserArguments });
  return started;
}

/** A missing element fails with its name after this time, before the test as a whole does. A busy machine is slow. */
const stepMs = 300_000;

/** Pages that passed tests have left, each with a profile of its own, by whether their clock can be moved. */
const idle = new Map<boolean, Page>();

/** Call it at the top of a test file that opens pages. */
export function closeBrowserAfterAll(): void {
  afterAll(async () => {
    await (await started)?.close();
    started = undefined;
    idle.clear();
  });
}

export interface OpenedPage {
  page: Page;
  context: BrowserContext;
  /** Errors of the page's scripts and of its console, such as what its content security policy refuses. */
  errors: string[];
  /** The addresses of all requests of the page. */
  requests: string[];
}

export interface PageOptions {
  colorScheme?: "light" | "dark";
  width?: number;
  height?: number;
  /** Whether the test moves the page's clock. */
  hasClock?: boolean;
}

/**
 * An empty page with an empty storage. It is one of a former test of the file, if one is idle: the browser has compiled
 * the scripts of the console then, which takes most of the time of a new page.
 */
export async function newPage({
  colorScheme = "light",
  width = 1280,
  height = 800,
  hasClock = false,
}: PageOptions = {}): Promise<OpenedPage> {
  const former = idle.get(hasClock);
  idle.delete(hasClock);
  const page = former ?? (await (await (await browser()).newContext()).newPage());
  onTestFinished(({ task }) => leave(page, hasClock, task.result?.state === "pass"));
  page.setDefaultTimeout(stepMs);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await page.mouse.move(0, 0);
  if (hasClock) {
    await page.clock.install();
    await page.clock.resume();
  }
  const errors: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
  page.on("pageerror", (error) => void errors.push(String(error)));
  page.on("request", (request) => void requests.push(request.url()));
  return { page, context: page.context(), errors, requests };
}

/** Keeps the page for the next test, without anything of this one. */
async function leave(page: Page, hasClock: boolean, isPassed: boolean): Promise<void> {
  const context = page.context();
  // A call that the page sent last can still be on its way through a route of the test.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (!isPassed || idle.has(hasClock)) return context.close();
  for (const event of ["console", "pageerror", "request", "requestfinished", "requestfailed"] as const)
    page.removeAllListeners(event);
  await page.evaluate(() => localStorage.clear());
  await page.goto("about:blank");
  await context.clearCookies();
  idle.set(hasClock, page);
}

/** The text of the element that has the focus, or else its tag. Poll it: the page moves the focus after it renders. */
export const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent || document.activeElement?.tagName);
