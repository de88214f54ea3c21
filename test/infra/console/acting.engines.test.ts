import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { closeBrowserAfterAll, focused, lacksBrowser, newPage } from "../../support/browser.ts";
import { call, documentPage, place } from "../../support/console/document-page.ts";
import { serve } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

closeBrowserAfterAll();

/** The bodies that the page sends to this path. */
function sentTo(page: Page, path: string): string[] {
  const sent: string[] = [];
  page.on("request", (request) => void (request.url().endsWith(path) && sent.push(request.postData() ?? "")));
  return sent;
}

/** As a mouse does it: the second click is at the place of the first, whatever is there by then. */
async function clickTwice(page: Page, button: Locator, gapMs: number) {
  const box = await button.boundingBox();
  if (!box) throw new Error("The button is not shown.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(x, y);
  await page.waitForTimeout(gapMs);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  // No button is busy or rests.
  await page.locator('button[type="button"][aria-disabled="true"]').first().waitFor({ state: "detached" });
  // A second change would be sent by now.
  await page.waitForTimeout(1_000);
}

describe.skipIf(lacksBrowser())("an action in a browser", () => {
  test("a double click acts once, and the next click acts again", async () => {
    const { page } = await documentPage("one");
    const sent = sentTo(page, "v2/commentannotations/update");
    for (const [index, gapMs] of [150, 250].entries()) {
      await clickTwice(page, page.getByRole("button", { name: /^(?:Resolve|Reopen)$/ }), gapMs);
      expect(sent).toHaveLength(index + 1);
      expect(await focused(page)).toMatch(/^(?:Resolve|Reopen)$/);
    }
  });

  test("the second click of a double click does not hit the thread that moves up", async () => {
    const { page } = await documentPage("one", "two", "three");
    await page.getByLabel("State").selectOption("OPEN");
    const sent = sentTo(page, "v2/commentannotations/update");
    await clickTwice(page, page.getByRole("button", { name: "Resolve" }).first(), 300);
    expect(sent).toHaveLength(1);
    await expect.poll(() => page.getByRole("button", { name: "Resolve" }).count()).toBe(2);
    await page.getByRole("button", { name: "Resolve" }).first().click();
    await expect.poll(() => page.getByRole("button", { name: "Resolve" }).count()).toBe(1);
  });

  test("a double click on an endpoint's buttons acts once", async () => {
    const server = await serve(temporaryFolder());
    await call(server, "/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
    const endpoint = { url: "https://receiver.example/hook" };
    const { id } = await call(server, "/v2/workspace/advancedwebhook/endpoints/create", endpoint);
    const { page } = await newPage();
    await page.goto(server.ready.console);
    await page.goto(`${server.ready.url}/console/webhooks?endpoint=${id}`);
    const tests = sentTo(page, "endpoints/test");
    const updates = sentTo(page, "endpoints/update");
    await page.getByRole("button", { name: "Send a test" }).waitFor();
    await clickTwice(page, page.getByRole("button", { name: "Send a test" }), 250);
    await clickTwice(page, page.getByRole("button", { name: "Disable" }), 250);
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
    await page.waitForTimeout(300);
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
    const { server, page } = await documentPage("one", "two");
    const thread = page.getByRole("listitem").filter({ hasText: "Text of one." }).first();
    await thread.getByRole("button", { name: "Delete thread" }).press("Enter");
    await page.getByRole("dialog").waitFor();
    await call(server, "/v2/organizations/documents/data/delete", { ...place, kind: "comments", ids: ["one"] });
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
