// What holds for every page of the console: it renders, is accessible, fits a telephone, and runs nothing that users typed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { closeBrowserAfterAll, lacksBrowser } from "../../../support/browser.ts";
import { hostile, id, sendHostileTexts, writeHostileTexts } from "../../../support/console/hostile.ts";
import { consoleOfFile, goTo, settled } from "../../../support/console/opened.ts";
import { pagesOfStory } from "../../../support/console/pages.ts";
import { receiver } from "../../../support/console/receivers.ts";

closeBrowserAfterAll();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

/** The serious and critical findings of axe, as text. A theme changes colors only. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found: string[] = [];
  for (const [colorScheme, rules] of [
    ["dark", { runOnly: ["color-contrast"] }],
    ["light", {}],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const options = JSON.stringify({ resultTypes: ["violations"], ...rules });
    const { violations } = (await page.evaluate(`axe.run(${options})`)) as { violations: Violation[] };
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const nodes = serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
    found.push(...nodes.map((each) => `${colorScheme}: ${each}`));
  }
  return found;
}

/** What a text of a user would have set by running, and how many elements it would have made. */
const harm = (page: Page) =>
  page.evaluate<unknown[]>(
    `[window.harmed, document.querySelectorAll("main img, main script, a[href^=javascript]").length]`,
  );

async function visit(page: Page, path: string): Promise<void> {
  await goTo(page, path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
}

describe.skipIf(lacksBrowser())("every page", () => {
  const { open, post } = consoleOfFile();

  test("has no serious finding of axe in either theme", async () => {
    const { page, errors } = await open("/");
    const found: string[] = [];
    for (const path of pagesOfStory) {
      await visit(page, path);
      found.push(...(await findings(page)).map((each) => `${path} ${each}`));
    }
    for (const key of ["?", "Control+k"]) {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      // Ctrl K then shows what it finds.
      await page.keyboard.type("launch");
      found.push(...(await findings(page)).map((each) => `${key} ${each}`));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    expect(found).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("fits a screen of 390 pixels without scrolling sideways", async () => {
    const { page } = await open("/", { width: 390, height: 844 });
    for (const path of pagesOfStory) {
      await visit(page, path);
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 390]);
    }
    // The menu has rows of one height, and nothing that needs a keyboard.
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await page.locator("#menu kbd:visible").count()).toBe(0);
    const heights = 'Array.from(document.querySelectorAll("#menu a, #menu button.bare"), (each) => each.offsetHeight)';
    expect(new Set(await page.evaluate<number[]>(heights))).toEqual(new Set([0, 40]));
  });

  test("opens without an error also in a window that only reads", async () => {
    const { page, errors } = await open("/", { isReadOnly: true });
    for (const path of pagesOfStory) {
      await visit(page, path);
      expect(await page.getByText("Read only.").count(), path).toBe(1);
    }
    // The browser would report a refused call.
    expect(errors).toEqual([]);
  });

  test("shows what users typed as text, and runs none of it", async () => {
    const places = await writeHostileTexts(post);
    const { page, errors } = await open("/");
    for (const [path, texts] of places) {
      await visit(page, path);
      for (const text of texts) await page.getByText(text, { exact: false }).first().waitFor({ state: "attached" });
      expect([path, ...(await harm(page))]).toEqual([path, undefined, 0]);
    }
    expect(hostile).toContain("onerror");
    expect(errors).toEqual([]);
  });

  test("shows what was sent, and what came back, as text: a webhook, its reply, a mail, a model's answer", async () => {
    const { url, server } = await receiver(500, hostile);
    onTestFinished(() => void server.close());
    const endpoint = await sendHostileTexts(post, url);
    const { page, errors } = await open(`/console/webhooks?endpoint=${endpoint}`);
    await page.getByLabel("Deliveries").getByRole("link", { name: "comment.add" }).click();
    await page.getByLabel("Reply of the endpoint").getByText(hostile).waitFor();
    await page.getByLabel("Payload").last().getByText(JSON.stringify(id).slice(1, -1)).waitFor();
    expect(await harm(page)).toEqual([undefined, 0]);

    await goTo(page, "/console/messages?view=rendered");
    // The newest mail is shown.
    const mail = page.frameLocator("iframe");
    await mail.getByText(hostile).waitFor();
    expect(await mail.locator("img, script").count()).toBe(0);
    expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");

    const citations = [{ recordId: id, snippet: hostile, verified: false }];
    const answer = { answer: hostile, citations, confidence: 1, recordsSearched: 1 };
    await page.route("**/v2/memory/ask", (route) => route.fulfill({ json: { result: answer } }));
    await visit(page, "/console/memory");
    await page.getByLabel("Question").fill("Is it harmful?");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator(".card", { hasText: "Confidence" }).getByText(hostile).first().waitFor();
    await page.getByLabel("Citations").getByText(hostile).waitFor();
    expect(await harm(page)).toEqual([undefined, 0]);
    expect(errors).toEqual([]);
  });
});
