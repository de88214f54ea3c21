// Runs the code of infra/client/BROWSER.md in Chromium: the customer's server, the page and the service have a port each.
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { crdtDelete } from "../functions/editor-content/crdt-delete.ts";
import { tokensRevoke } from "../functions/user-tokens/tokens-revoke.ts";
import { notify } from "../functions/workers/notify.ts";
import { domainsDelete } from "../functions/workspace-settings/domains-delete.ts";
import { endpoints } from "../infra/deployables.ts";
import { demoWorkspace } from "../infra/local/demo.ts";
import { placeholderAccess } from "../infra/local/environment.ts";
import { posterTo, tellStory } from "../infra/local/example-data.ts";
import { createGateway } from "../infra/local/gateway.ts";
import { invoker } from "../infra/local/invoke.ts";
import { listen } from "../infra/local/listen.ts";
import { createLive, httpPath, realtimePath } from "../infra/local/live/live.ts";
import { loadSource } from "../infra/local/load-source.ts";
import { closeBrowserAfterAll, lacksBrowser, newPage } from "./support/browser.ts";
import { projectWithClient } from "./support/built-client.ts";
import { must } from "./support/call.ts";
import { addPage, mounts } from "./support/component-pages.ts";
import { documentText } from "./support/documents.ts";
import { fakeDates, later } from "./support/fake-dates.ts";
import { freePort } from "./support/free-port.ts";
import { jobsOf } from "./support/jobs.ts";
import { temporaryFolder } from "./support/local/start.ts";
import { deliver } from "./support/run-worker.ts";
import { root } from "./support/sources.ts";

closeBrowserAfterAll();
const { devDependencies } = JSON.parse(documentText("package.json"));
const project = projectWithClient();
fakeDates();

/** The files that the document shows. The text before each one names it. */
function shownFiles(): Record<string, string> {
  const [before = "", ...blocks] = documentText("infra/client/BROWSER.md").split(/```(?:jsx?|html|vue|svelte)\n/);
  const files: Record<string, string> = {};
  let text = before;
  for (const block of blocks) {
    const [name = ""] = text.match(/(?<=`)[\w.]+\.(?:mjs|jsx?|html|vue|svelte)(?=`)/g)?.slice(-1) ?? [];
    const [code = "", ...rest] = block.split("```\n");
    files[name] = code;
    text = rest.join("");
  }
  return files;
}

/** The service with the data of the example, the customer's server, and the page. `url` is its address. */
async function served() {
  const as = await demoWorkspace(temporaryFolder());
  const api = await servedApi();
  await tellStory(posterTo({ url: api.url, ...as }));

  const [server, page] = [await freePort(), await freePort()];
  const files = shownFiles();
  expect(Object.keys(files)).toEqual([
    ...["server.mjs", "vite.config.mjs", "live.js", "index.html", "page.js"],
    ...["Threads.jsx", "Threads.vue", "Threads.svelte", "editor.js"],
  ]);
  for (const [name, text] of Object.entries(files)) {
    const own = text.replaceAll("127.0.0.1:8787", new URL(api.url).host).replace(/\b3000\b/, String(server));
    await writeFile(join(project(), name), own);
  }
  await started(["server.mjs"], server, { API_URL: api.url, API_KEY: as.apiKey, AUTH_TOKEN: as.authToken });
  const vite = join(root, "node_modules/vite/bin/vite.js");
  await started([vite, "--host", "127.0.0.1", "--strictPort", "--port", String(page)], page);
  return { as, port: page };
}

/** The endpoints and the engine of live messages, in this process. */
async function servedApi() {
  const onError = (thrown: unknown) => expect.fail(String(thrown));
  const authorizer = invoker(loadSource, "live-authorize", 10);
  const handlers = { aware: async () => (await import("../infra/stack/live/aware-on-publish.js")).onPublish };
  const live = createLive({ authorizer, handlers: handlers as never, onError });
  const gateway = createGateway({ endpoints, load: loadSource, ...live, onError });
  gateway.on("upgrade", live.upgrade);
  const api = await listen(gateway, 0);
  onTestFinished(() => {
    live.close();
    return api.close();
  });
  const { accessKeyId, secretAccessKey } = placeholderAccess.credentials;
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
  vi.stubEnv("LIVE_HTTP_URL", api.url + httpPath);
  vi.stubEnv("LIVE_REALTIME_URL", api.url.replace("http", "ws") + realtimePath);
  onTestFinished(() => void vi.unstubAllEnvs());
  return api;
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

/** Opens a page as a user. */
async function openedAt(port: number, userId: string, path = "") {
  const { page, context, errors } = await newPage();
  await signIn(context, userId);
  await page.goto(`http://localhost:${port}/${path}`);
  return { page, context, errors };
}

/** Opens the page as a user who sees the comments of the example. */
async function opened(port: number, userId: string) {
  const { page, ...more } = await openedAt(port, userId);
  await expect.poll(() => threads(page).count()).toBe(3);
  return { page, ...more };
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
    const { page: reader } = await opened(port, "carol");
    const inbox = page.locator("#inbox li");
    await expect.poll(() => inbox.allTextContents()).toEqual(["Bob Okoro has answered your question"]);
    await expect.poll(() => page.locator("#people").textContent()).toContain("Carol Silva");

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
    const resolved = expect.stringContaining("on Monday? (RESOLVED)");
    await expect.poll(() => threads(reader).allTextContents()).toContainEqual(resolved);
    await press(page, "on Monday?", "Delete");
    await expect.poll(() => threads(reader).count()).toBe(3);
    await press(page, "the printers", "Delete");
    await expect.poll(() => notice(page)).toMatch(/^PERMISSION_DENIED: /);
    expect(errors.filter((each) => !each.startsWith("Failed to load resource"))).toEqual([]);
  });

  test("of a viewer shows the reason why it cannot write", async () => {
    const { page } = await opened((await served()).port, "carol");
    await add(page, "Mine");
    await expect.poll(() => notice(page)).toBe(noAccess);
    await expect.poll(() => threads(page).count()).toBe(3);
    expect(await threads(page).allTextContents()).not.toContainEqual(expect.stringContaining("Mine"));
  });

  test("of a user without a session keeps what is written until there is one", async () => {
    const { as, port } = await served();
    const { page, context } = await opened(port, "alice");
    const { page: reader } = await opened(port, "carol");
    await context.clearCookies();
    await must(tokensRevoke, { as, data: { userId: "alice" } });
    later(30);
    await add(page, "Not yet");
    await expect.poll(() => threads(page).count()).toBe(4);
    expect(await threads(reader).count()).toBe(3);
    await signIn(context, "alice");
    await expect.poll(() => threads(reader).count()).toBe(4);
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

  test("of React, Vue and Svelte show and add comments", async () => {
    const { port } = await served();
    const pages: Page[] = [];
    const allErrors: string[][] = [];
    for (const [name, contents] of Object.entries(mounts)) {
      await addPage(project(), name, contents);
      const { page, errors } = await openedAt(port, "alice", `${name}.html`);
      await expect.poll(() => page.locator("form p").count()).toBe(2);
      pages.push(page);
      allErrors.push(errors);
    }
    for (const [index, page] of pages.entries()) {
      await add(page, `From ${index}`);
      for (const each of pages)
        await each
          .locator("form p")
          .filter({ hasText: `From ${index}` })
          .waitFor();
    }
    expect(allErrors.flat().filter((each) => !each.startsWith("Failed to load resource"))).toEqual([]);
  });

  test("with the editor shows what others type, and begins anew when the content is replaced", async () => {
    expect(documentText("infra/client/BROWSER.md")).toContain(`}@${devDependencies["@tiptap/core"]}\n`);
    const { as, port } = await served();
    await addPage(project(), "editor", `import "${project()}/editor.js";`);
    const [one, two, viewer] = [
      await openedAt(port, "alice", "editor.html"),
      await openedAt(port, "alice", "editor.html"),
      await openedAt(port, "carol", "editor.html"),
    ];
    const text = ({ page }: typeof one) => page.locator(".ProseMirror");
    const isEditable = (each: typeof one) => text(each).getAttribute("contenteditable");
    for (const each of [one, two]) await expect.poll(() => isEditable(each)).toBe("true");
    await text(one).pressSequentially("The launch is in March.");
    for (const each of [two, viewer]) await expect.poll(() => text(each).textContent()).toContain("in March.");
    await text(two).press("End");
    await expect.poll(() => text(one).textContent()).toContain("Alice Meyer");
    expect(await isEditable(viewer)).toBe("false");

    await must(crdtDelete, { as, data: { organizationId: "acme", documentId: "plan", editorIds: ["body"] } });
    for (const each of [one, two, viewer]) await expect.poll(() => text(each).textContent()).toBe("");
    await expect.poll(() => isEditable(one)).toBe("true");
    await text(one).pressSequentially("Anew");
    await expect.poll(() => text(viewer).textContent()).toContain("Anew");
    expect(
      [one, two, viewer].flatMap(({ errors }) => errors).filter((each) => !each.startsWith("Failed to load")),
    ).toEqual([]);
  });
});
