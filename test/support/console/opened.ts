// One local server, and pages of its console. The tests of a file share them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type Post, posterTo, tellStory } from "../../../infra/local/example-data.ts";
import { newPage, type OpenedPage, type PageOptions } from "../browser.ts";
import { onFolder, type Server, start, whenReady } from "../local/serve.ts";
import { enginesOn } from "../local/start.ts";
import { openReceivers } from "./receivers.ts";
import { keyIn } from "./site.ts";

interface Cookie {
  name: string;
  value: string;
  url: string;
}

export interface Opened {
  url: string;
  /** What the printed address becomes. */
  readonly credentials: { cookie: Cookie; key: string };
  post: Post;
  /** A page of the console. `isReadOnly`: as without the printed address. */
  open(path: string, options?: PageOptions & { isReadOnly?: boolean }): Promise<OpenedPage>;
}

/** Starts the server with the demo story before the tests of the file, and stops it after them. */
export function consoleOfFile(): Opened {
  let server: Server;
  let key: string;
  let cookie: Cookie;
  const dir = mkdtempSync(join(tmpdir(), "console-test-"));
  let closeReceivers = () => {};
  beforeAll(async () => {
    server = await whenReady(start(onFolder(dir, ["--demo-ai"])));
    ({ cookie, key } = await credentialsOf(server.ready));
    const receivers = await openReceivers();
    closeReceivers = receivers.close;
    await tellStory(posterTo(server.ready), receivers);
  });
  afterAll(async () => {
    server?.process.kill("SIGKILL");
    await server?.exit;
    for (const pid of enginesOn(dir)) process.kill(pid, "SIGKILL");
    rmSync(dir, { recursive: true, force: true });
    closeReceivers();
  });
  return {
    get url() {
      return server.ready.url;
    },
    get credentials() {
      return { cookie, key };
    },
    post: <T>(path: string, data: object) => posterTo(server.ready)<T>(path, data),
    async open(path, { isReadOnly = false, ...options } = {}) {
      const opened = await newPage(options);
      if (!isReadOnly) {
        await opened.context.addCookies([cookie]);
        const script = await opened.context.addInitScript(keep, key);
        onTestFinished(() => script.dispose());
      }
      await opened.page.goto(server.ready.url + path);
      await opened.page.getByRole("heading", { level: 1 }).waitFor();
      return opened;
    },
  };
}

/** Runs in each frame of the page. A frame without an origin has no storage. */
function keep(key: string): void {
  try {
    localStorage.setItem("console-key", key);
  } catch {}
}

/** The cookie and the key that the printed address becomes. */
async function credentialsOf({ url, console: address }: Server["ready"]) {
  const reply = await fetch(address, { redirect: "manual" });
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(reply.headers.get("set-cookie") ?? "") ?? [];
  const key = keyIn(reply.headers.get("location"))["x-console-key"] ?? "";
  return { cookie: { name, value, url }, key };
}

/** Goes to an address without loading the page again. */
export const goTo = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`);

/** Waits until nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator(".loading").first().waitFor({ state: "detached" });
}
