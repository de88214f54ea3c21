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

/** Call it at the top of a test file that opens pages. */
export function closeBrowserAfterAll(): void {
  afterAll(async () => {
    await (await started)?.close();
    started = undefined;
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
}

/** A page of a new profile. It is closed after the test. */
export async function newPage({
  colorScheme = "light",
  width = 1280,
  height = 800,
}: PageOptions = {}): Promise<OpenedPage> {
  const context = await (await browser()).newContext({ colorScheme, viewport: { width, height } });
  const page = await context.newPage();
  onTestFinished(async () => {
    // A call that the page sent last can still be on its way through a route of the test.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });
  const errors: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
  page.on("pageerror", (error) => void errors.push(String(error)));
  context.on("request", (request) => void requests.push(request.url()));
  return { page, context, errors, requests };
}

/** The text of the element that has the focus, or else its tag. Poll it: the page moves the focus after it renders. */
export const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent || document.activeElement?.tagName);
