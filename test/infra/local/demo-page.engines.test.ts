// The page /demo in Chromium, opened as two users.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { closeBrowserAfterAll, lacksBrowser, newPage } from "../../support/browser.ts";
import { noteOf } from "../../support/local/note-of.ts";
import { serve } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

closeBrowserAfterAll();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds that is serious. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = `axe.run().then(({ violations }) => violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => id + " " + nodes[0].html))`;
  return page.evaluate(found) as Promise<string[]>;
}

const text = (page: Page) => page.getByRole("textbox", { name: "Text of the document" });
const isEditable = (page: Page) => expect.poll(() => text(page).getAttribute("contenteditable")).toBe("true");

describe.skipIf(lacksBrowser())("the demo", () => {
  test("shows two users what the other types, says and reads", async () => {
    const server = await serve(temporaryFolder(), "--example");
    await noteOf(server.process, "Demo ");
    const { url } = server.ready;
    const [alice, bob] = [await newPage(), await newPage({ colorScheme: "dark", width: 390 })];
    await alice.page.goto(`${url}/demo?user=alice`);
    await bob.page.goto(`${url}/demo?user=bob`);
    await Promise.all([isEditable(alice.page), isEditable(bob.page)]);
    await text(alice.page).pressSequentially("The launch is in March.");
    await expect.poll(() => text(bob.page).textContent()).toContain("The launch is in March.");
    await text(bob.page).press("End");
    await expect
      .poll(() => alice.page.locator(".collaboration-carets__label").allTextContents())
      .toEqual(["Bob Okoro"]);
    await expect.poll(() => alice.page.locator("#people li").allTextContents()).toEqual(["Alice Meyer", "Bob Okoro"]);

    await bob.page.getByLabel("New comment").fill("Which week?");
    await bob.page.getByLabel("New comment").press("Enter");
    const thread = alice.page.locator("article").filter({ hasText: "Which week?" });
    await thread.getByLabel("Reply").fill("The first");
    await thread.getByLabel("Reply").press("Enter");
    await expect.poll(() => bob.page.locator("#threads").textContent()).toContain("Alice Meyer The first");
    await expect.poll(() => alice.page.locator("#notifications").textContent()).toContain("Bob Okoro has answered");

    const carol = await newPage();
    await carol.page.goto(`${url}/demo?user=carol`);
    await carol.page.getByText("The launch is in March.").waitFor();
    await carol.page.getByText("The price is final").waitFor();
    // She is a viewer.
    await expect.poll(() => carol.page.locator("form:visible, article button:visible").count()).toBe(0);
    expect(await text(carol.page).getAttribute("contenteditable")).toBe("false");

    for (const { page } of [alice, bob]) expect(await findings(page)).toEqual([]);
    const isWide = "document.documentElement.scrollWidth > innerWidth";
    expect(await bob.page.evaluate(isWide)).toBe(false);
    // The browser reports that the text is not there yet.
    expect([...alice.errors, ...bob.errors].filter((each) => !each.startsWith("Failed to load"))).toEqual([]);
  });
});
