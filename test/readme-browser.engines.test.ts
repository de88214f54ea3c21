// Runs the code of infra/client/BROWSER.md in Chromium: the customer's server, the page and the service have a port each.
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { tokensRevoke } from "../functions/user-tokens/tokens-revoke.ts";
import { notify } from "../functions/workers/notify.ts";
import { domainsDelete } from "../functions/workspace-settings/domains-delete.ts";
import { endpoints } from "../infra/deployables.ts";
import { demoWorkspace } from "../infra/local/demo.ts";
import { posterTo, tellStory } from "../infra/local/example-data.ts";
import { createGateway } from "../infra/local/gateway.ts";
import { loadSource } from "../infra/local/invoke.ts";
import { listen } from "../infra/local/listen.ts";
import { closeBrowserAfterAll, lacksBrowser, newPage } from "./support/browser.ts";
import { projectWithClient } from "./support/built-client.ts";
import { must } from "./support/call.ts";
import { documentText } from "./support/documents.ts";
import { fakeDates, later } from "./support/fake-dates.ts";
import { freePort } from "./support/free-port.ts";
import { jobsOf } from "./support/jobs.ts";
import { temporaryFolder } from "./support/local/start.ts";
import { deliver } from "./support/run-worker.ts";
import { root } from "./support/sources.ts";

closeBrowserAfterAll();
const project = projectWithClient();
fakeDates();

/** The files that the document shows. The text before each one names it. */
function shownFiles(): Record<string, string> {
  const [before = "", ...blocks] = documentText("infra/client/BROWSER.md").split(/```(?:js|html)\n/);
  const files: Record<string, string> = {};
  let text = before;
  for (const block of blocks) {
    const [name = ""] = text.match(/(?<=`)[\w.]+\.(?:mjs|js|html)(?=`)/g)?.slice(-1) ?? [];
    [files[name] = "", text = ""] = block.split("```\n");
  }
  return files;
}

/** The service with the data of the example, the customer's server, and the page. `url` is its address. */
async function served() {
  const as = await demoWorkspace(temporaryFolder());
  const onError = (thrown: unknown) => expect.fail(String(thrown));
  const api = await listen(createGateway({ endpoints, load: loadSource, onError }), 0);
  onTestFinished(api.close);
  await tellStory(posterTo({ url: api.url, ...as }));

  const [server, page] = [await freePort(), await freePort()];
  const files = shownFiles();
  expect(Object.keys(files)).toEqual(["server.mjs", "vite.config.mjs", "index.html", "page.js"]);
  for (const [name, text] of Object.entries(files)) {
    const own = text.replaceAll("http://127.0.0.1:8787", api.url).replace(/\b3000\b/, String(server));
    await writeFile(join(project(), name), own);
  }
  await started(["server.mjs"], server, { API_URL: api.url, API_KEY: as.apiKey, AUTH_TOKEN: as.authToken });
  const vite = join(root, "node_modules/vite/bin/vite.js");
  await started([vite, "--host", "127.0.0.1", "--strictPort", "--port", String(page)], page);
  return { as, port: page };
}

/** Runs a program until the test ends. Resolves when it replies. */
async function started(args: string[], port: number, env: Record<string, string> = {}): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: project(),
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect.poll(() => fetch(`http://127.0.0.1:${port}/`).then(Boolean, () => false)).toBe(true);
}

const noAccess = "PERMISSION_DENIED: The user has no access to this, or it does not exist.";

const signIn = (context: BrowserContext, userId: string) =>
  context.addCookies([{ name: "user", value: userId, url: "http://localhost/" }]);

const threads = (page: Page) => page.locator("#threads li");
const notice = (page: Page) => page.locator("#notice").textContent();
const press = (page: Page, thread: string, button: string) =>
  threads(page).filter({ hasText: thread }).getByRole("button", { name: button }).click();

/** Opens the page as a user who sees the comments of the example. */
async function opened(port: number, userId: string) {
  const { page, context, errors } = await newPage();
  await signIn(context, userId);
  await page.goto(`http://localhost:${port}/`);
  await expect.poll(() => threads(page).count()).toBe(3);
  return { page, context, errors };
}

async function add(page: Page, text: string): Promise<void> {
  await page.getByLabel("Comment").fill(text);
  await page.getByRole("button", { name: "Add" }).click();
}

describe.skipIf(lacksBrowser())("the page of the document", () => {
  test("lists, adds, edits, resolves and deletes comments, and reads the inbox", async () => {
    const { as, port } = await served();
    for (const { id } of await jobsOf(as, "notify")) await deliver(notify, [id]);
    const { page, errors } = await opened(port, "alice");
    expect(await page.locator("#inbox li").allTextContents()).toEqual(["Bob Okoro has answered your question"]);

    await add(page, "Shall we?");
    await expect
      .poll(() => threads(page).allTextContents())
      .toContainEqual(expect.stringContaining("Shall we? (OPEN)"));
    page.on("dialog", (dialog) => void dialog.accept("Shall we, on Monday?"));
    await press(page, "Shall we?", "Edit");
    await expect
      .poll(() => threads(page).allTextContents())
      .toContainEqual(expect.stringContaining("on Monday? (OPEN)"));
    await press(page, "on Monday?", "Resolve");
    await expect.poll(() => threads(page).allTextContents()).toContainEqual(expect.stringContaining("(RESOLVED)"));
    await press(page, "on Monday?", "Delete");
    await expect.poll(() => threads(page).count()).toBe(3);
    await press(page, "the printers", "Delete");
    await expect.poll(() => notice(page)).toMatch(/^PERMISSION_DENIED: /);
    expect(errors.filter((each) => !each.startsWith("Failed to load resource"))).toEqual([]);
  });

  test("of a viewer cannot write, and shows the reason", async () => {
    const { page } = await opened((await served()).port, "carol");
    await add(page, "Mine");
    await expect.poll(() => notice(page)).toBe(noAccess);
    await page.reload();
    await expect.poll(() => threads(page).count()).toBe(3);
    await press(page, "The price is final", "Edit");
    await expect.poll(() => notice(page)).toBe(noAccess);
    expect(await threads(page).allTextContents()).not.toContainEqual(expect.stringContaining("Mine"));
  });

  test("of a user without a session is refused 30 seconds after the tokens are revoked", async () => {
    const { as, port } = await served();
    const { page, context } = await opened(port, "alice");
    await context.clearCookies();
    await must(tokensRevoke, { as, data: { userId: "alice" } });
    later(30);
    await add(page, "Too late");
    await expect.poll(() => notice(page)).toBe("UNAUTHENTICATED: The token endpoint replied with 401.");
    await signIn(context, "alice");
    await add(page, "With a new token");
    await expect.poll(() => threads(page).count()).toBe(4);
    expect(await threads(page).allTextContents()).not.toContainEqual(expect.stringContaining("Too late"));
  });

  test("at an origin that is not allowed reads how to allow it", async () => {
    const { as, port } = await served();
    await must(domainsDelete, { as, data: { domains: ["localhost"] } });
    const { page, context } = await newPage();
    await signIn(context, "alice");
    await page.goto(`http://localhost:${port}/`);
    const message = `Pages of http://localhost:${port} may not call this workspace. A server adds the domain with domains/add.`;
    await expect.poll(() => notice(page)).toBe(`PERMISSION_DENIED: ${message}`);
  });
});
