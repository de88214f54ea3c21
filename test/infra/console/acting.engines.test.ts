import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { closeBrowserAfterAll, focused, lacksBrowser, runOut, stopClock } from "../../support/browser.ts";
import { documentsOf } from "../../support/console/document-page.ts";
import { consoleOfFile, settled } from "../../support/console/opened.ts";

closeBrowserAfterAll();

/** The bodies that the page sends to this path. */
function sentTo(page: Page, path: string): string[] {
  const sent: string[] = [];
  page.on("request", (request) => void (request.url().endsWith(path) && sent.push(request.postData() ?? "")));
  return sent;
}

interface DoubleClick {
  gapMs: number;
  /** Ends between the clicks, or after them. */
  first: () => Promise<unknown>;
  isFirstLate?: boolean;
}

/**
 * As a mouse does it: the second click is at the place of the first, whatever is there by then. The page's clock stands
 * still but for the gap.
 */
async function clickTwice(page: Page, name: RegExp | string, { gapMs, first, isFirstLate = false }: DoubleClick) {
  await stopClock(page);
  await page.getByRole("button", { name }).first().click();
  if (!isFirstLate) await first();
  await page.clock.runFor(gapMs);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  // A click sends at once, so what the second one has sent is before this request.
  await page.evaluate(() => fetch("/console/session"));
  if (isFirstLate) await first();
  await runOut(page);
  await page.clock.resume();
  // No button is busy or rests.
  await page.locator('button[type="button"][aria-disabled="true"]').first().waitFor({ state: "detached" });
}

const turns = /^(?:Resolve|Reopen)$/;

const opened = consoleOfFile({ hasStory: false });
const documentPage = documentsOf(opened);

describe.skipIf(lacksBrowser())("an action in a browser", () => {
  test("a double click acts once, and the next click acts again", async () => {
    const { page } = await documentPage("one");
    const sent = sentTo(page, "v2/commentannotations/update");
    for (const [index, gapMs] of [150, 250, 400].entries()) {
      const done = index % 2 === 0 ? "Resolved." : "Reopened.";
      await clickTwice(page, turns, { gapMs, first: () => page.getByText(done).waitFor() });
      expect(sent).toHaveLength(index + 1);
      expect(await focused(page)).toMatch(turns);
    }
  });

  test("a double click acts once also if the action takes longer", async () => {
    const { page } = await documentPage("one");
    const sent = sentTo(page, "v2/commentannotations/update");
    const { promise, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/commentannotations/update", async (route) => {
      await promise;
      await route.continue();
    });
    const first = () => {
      release();
      return page.getByText("Resolved.").waitFor();
    };
    await clickTwice(page, turns, { gapMs: 400, first, isFirstLate: true });
    expect(sent).toHaveLength(1);
  });

  test("the second click of a double click does not hit the thread that moves up", async () => {
    const { page } = await documentPage("one", "two", "three");
    await page.getByLabel("State").selectOption("OPEN");
    await settled(page);
    const sent = sentTo(page, "v2/commentannotations/update");
    const resolves = page.getByRole("button", { name: "Resolve" });
    await expect.poll(() => resolves.count()).toBe(3);
    const first = () => expect.poll(() => resolves.count()).toBe(2);
    await clickTwice(page, "Resolve", { gapMs: 300, first });
    expect(sent).toHaveLength(1);
    await resolves.first().click();
    await expect.poll(() => resolves.count()).toBe(1);
  });

  test("a double click on an endpoint's buttons acts once", async () => {
    await opened.post("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
    const endpoint = { url: "https://receiver.example/hook" };
    const create = "/v2/workspace/advancedwebhook/endpoints/create";
    const { id } = await opened.post<{ id: string }>(create, endpoint);
    const { page } = await opened.open(`/console/webhooks?endpoint=${id}`, { hasClock: true });
    const tests = sentTo(page, "endpoints/test");
    const updates = sentTo(page, "endpoints/update");
    const said = (text: string) => ({ gapMs: 250, first: () => page.getByText(text).waitFor() });
    await page.getByRole("button", { name: "Send a test" }).waitFor();
    await clickTwice(page, "Send a test", said("A test is on its way."));
    await clickTwice(page, "Disable", said("The endpoint is disabled."));
    expect([tests.length, updates.length]).toEqual([1, 1]);
    expect(updates[0]).toContain('"disabled":true');
  });
});

describe.skipIf(lacksBrowser())("a question in a browser", () => {
  test("has no palette above it", async () => {
    const { page } = await documentPage("one");
    await page.getByRole("button", { name: "Delete thread" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Control+k");
    await runOut(page);
    expect(await page.getByRole("dialog").count()).toBe(1);
  });

  test("is answered with no when the reader leaves the page", async () => {
    const { page } = await documentPage("one");
    const sent = sentTo(page, "v2/organizations/documents/data/delete");
    await page.getByRole("link", { name: "Jobs" }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Delete thread" }).click();
    await page.getByRole("dialog").waitFor();
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("Jobs");
    await page.goBack();
    await page.getByText("Text of one.").waitFor();
    expect(sent).toEqual([]);
  });
});

describe.skipIf(lacksBrowser())("the focus in a browser", () => {
  test("goes back to Edit after Cancel, and to the heading after the thread is deleted", async () => {
    const { page } = await documentPage("one", "two");
    await page.getByRole("button", { name: "Edit" }).first().press("Enter");
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await expect.poll(() => focused(page)).toBe("Edit");
    await page.getByRole("button", { name: "Delete thread" }).first().press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete thread" }).press("Enter");
    await expect.poll(() => page.getByRole("button", { name: "Delete thread" }).count()).toBe(1);
    await expect.poll(() => focused(page)).toBe("plan");
  });

  test("goes to the heading when the button that asked is gone", async () => {
    const { page, place, post } = await documentPage("one", "two");
    const thread = page.getByRole("listitem").filter({ hasText: "Text of one." }).first();
    await thread.getByRole("button", { name: "Delete thread" }).press("Enter");
    await page.getByRole("dialog").waitFor();
    await post("/v2/organizations/documents/data/delete", { ...place, kind: "comments", ids: ["one"] });
    await page.clock.runFor(2_500);
    await page.getByText("Text of one.").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await expect.poll(() => focused(page)).toBe("plan");
  });

  test("stays at Save when saving fails, and in another field when saving ends", async () => {
    const { page } = await documentPage("one");
    const path = "**/v2/commentannotations/comments/update";
    await page.route(path, (route) => route.abort());
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    await expect.poll(() => focused(page)).toBe("TEXTAREA");
    await page.keyboard.type(" More.");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByRole("alert").first().waitFor();
    expect(await focused(page)).toBe("Save");
    await page.unroute(path);
    await page.route(path, async (route) => {
      await page.getByPlaceholder("Reply").focus();
      await route.continue();
    });
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByRole("paragraph").filter({ hasText: "Text of one. More." }).waitFor();
    await expect.poll(() => focused(page)).toBe("TEXTAREA");
  });
});
