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

const longWord = "quarterly_report_final_v3_reviewed_by_legal_".repeat(5).slice(0, 200);

const shownTexts =
  /name$|^(?:title|text|subject|description|email|url|status|priority|message|error|event|to|domains?)$/i;
/** The pages choose by these what they show. */
const states = /^(?:RESOLVED|pending|delivered|failed|waiting|running|sent|email|slack)$/;

/** Each text of the story becomes one long word. Ids stay, so that each page finds what it shows. */
const lengthen = (page: Page) =>
  page.route(/\/console\/(?:api|operations)\//, async (route) => {
    const response = await route.fetch();
    const json = JSON.parse(await response.text(), (name, value) =>
      typeof value !== "string" || !shownTexts.test(name) || states.test(value) ? value : longWord,
    );
    await route.fulfill({ response, json });
  });

const isWide = (page: Page, element = "document.documentElement") =>
  page.evaluate<boolean>(`((each) => each.scrollWidth > each.clientWidth)(${element})`);

/** Short labels that are broken because of a long word beside them. */
const narrowLabels = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll("dt, .status, .tag, button, label > span")]
    .filter((each) => each.checkVisibility() && each.textContent.length > 1 && each.clientWidth > 1)
    .filter((each) => each.clientWidth < 20).map((each) => each.textContent)`);

async function visit(page: Page, path: string): Promise<void> {
  await goTo(page, path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
}

describe.skipIf(lacksBrowser())("every page", () => {
  const { open, post } = consoleOfFile();

  test("has no serious finding of axe in either theme, and fits a screen of 390 pixels", async () => {
    const { page, errors } = await open("/");
    const found: string[] = [];
    for (const path of pagesOfStory) {
      await visit(page, path);
      found.push(...(await findings(page)).map((each) => `${path} ${each}`));
      await page.setViewportSize({ width: 390, height: 844 });
      if (await isWide(page)) found.push(`${path} is too wide`);
      await page.setViewportSize({ width: 1280, height: 844 });
    }
    await visit(page, "/console/tokens");
    await page.getByRole("button", { name: "Revoke demo", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    found.push(...(await findings(page)).map((each) => `dialog ${each}`));
    expect(found).toEqual([]);
    expect(errors).toEqual([]);
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

  test("is not wider than its window, however long a word is, and no question is", async () => {
    await post("/v2/workspace/authtokens/create", { name: "long", scopes: ["read"] });
    const { page } = await open("/");
    await lengthen(page);
    const wide: string[] = [];
    for (const path of pagesOfStory) {
      await visit(page, path);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        if (await isWide(page)) wide.push(`${width} ${path}`);
      }
      wide.push(...(await narrowLabels(page)).map((text) => `${path} ${text}`));
    }
    await visit(page, "/console/tokens");
    const revoke = page.getByRole("button", { name: /^Revoke quarterly/ });
    await revoke.first().click();
    await page.getByRole("dialog").getByText(longWord).first().waitFor();
    if (await isWide(page, "document.querySelector('dialog')")) wide.push("dialog");
    expect(wide).toEqual([]);
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

  test("names the browser's tab with the codes of hidden characters", async () => {
    await post("/v2/organizations/add", { organizations: [{ organizationId: "a\u202eb" }] });
    const { page } = await open("/");
    await visit(page, `/console/documents?org=${encodeURIComponent("a\u202eb")}`);
    expect(await page.title()).toBe("a\\u{202e}b · Console");
  });

  test("shows what was sent, and what came back, as text: a webhook, its reply, a mail", async () => {
    const { url, server } = await receiver(500, hostile);
    onTestFinished(() => void server.close());
    const endpoint = await sendHostileTexts(post, url);
    const { page, errors } = await open(`/console/webhooks?endpoint=${endpoint}`);
    await page.getByLabel("Deliveries").getByRole("link", { name: "comment.add" }).click();
    await page.getByLabel("Reply of the endpoint").getByText(hostile).waitFor();
    await page.getByLabel("Payload").last().getByText(JSON.stringify(id).slice(1, -1)).waitFor();
    expect(await harm(page)).toEqual([undefined, 0]);

    await visit(page, "/console/messages?view=rendered");
    // The newest mail is shown.
    const mail = page.frameLocator("iframe");
    await mail.getByText(hostile).waitFor();
    expect(await mail.locator("img, script").count()).toBe(0);
    expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
    // A call can have no reply in time on a busy machine, which is shown where it happened.
    expect(errors.filter((text) => !/^Failed to load resource: .* 50[23]/.test(text))).toEqual([]);
  });
});
