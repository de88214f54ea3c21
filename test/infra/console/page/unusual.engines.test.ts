// The console with what is rare: very long words, a message that is not there, a list whose next page fails.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { documentId, organizationId } from "../../../../infra/local/example-data.ts";
import { closeBrowserAfterAll, lacksBrowser } from "../../../support/browser.ts";
import { consoleOfFile, goTo, settled } from "../../../support/console/opened.ts";
import { pagesOfStory } from "../../../support/console/pages.ts";

closeBrowserAfterAll();

const longWord = "quarterly_report_final_v3_reviewed_by_legal_".repeat(5).slice(0, 200);
const longPlace = "src/components/settings/NotificationPreferences.tsx".repeat(40).slice(0, 2_000);

const shownTexts =
  /name$|^(?:title|text|subject|description|email|url|status|priority|message|error|event|to|domains?)$/i;
/** The pages choose by these what they show. */
const states = /^(?:RESOLVED|pending|delivered|failed|waiting|running|done|sent|email|slack)$/;

/** Each text of the story becomes one long word. Ids stay, so that each page finds what it shows. */
const lengthen = (page: Page) =>
  page.route(/\/console\/(?:api|operations)\//, async (route) => {
    const response = await route.fetch();
    const json = JSON.parse(await response.text(), (name, value) => {
      if (typeof value !== "string" || !shownTexts.test(name) || states.test(value)) return value;
      return name === "locationName" ? longPlace : longWord;
    });
    await route.fulfill({ response, json });
  });

const isWider = (page: Page, element: string) =>
  page.evaluate<boolean>(`((each) => each.scrollWidth > each.clientWidth)(${element})`);

const documentList = `/console/documents?org=${organizationId}`;

describe.skipIf(lacksBrowser())("the console", () => {
  const { open, post } = consoleOfFile();

  test("has no page that is wider than its window, however long a word is", async () => {
    const { page } = await open("/");
    await lengthen(page);
    const wide: unknown[] = [];
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      for (const path of pagesOfStory) {
        await goTo(page, path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await settled(page);
        if (path.includes(documentId)) await page.getByText(longWord).first().waitFor({ state: "attached" });
        if (await isWider(page, "document.documentElement")) wide.push([width, path]);
      }
    }
    expect(wide).toEqual([]);
  });

  test("has no question and no finder that is wider than its window", async () => {
    await post("/v2/workspace/authtokens/create", { name: "long", scopes: ["read"] });
    const { page } = await open("/console/tokens", { width: 390, height: 844 });
    await lengthen(page);
    await page.getByText(longWord).first().waitFor();
    await page
      .getByRole("button", { name: /^Revoke quarterly/ })
      .first()
      .click();
    await page.getByRole("dialog").getByText(longWord).first().waitFor();
    expect(await isWider(page, 'document.querySelector("dialog")')).toBe(false);
    await page.keyboard.press("Escape");
    await goTo(page, documentList);
    await page.getByRole("link", { name: longWord }).first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("quarterly");
    await page.getByRole("option", { name: longWord }).first().waitFor();
    expect(await isWider(page, 'document.querySelector("dialog")')).toBe(false);
    expect(await isWider(page, "document.documentElement")).toBe(false);
  });

  test("breaks no short label of a row because of a long word beside it", async () => {
    const { page } = await open("/console/people?org=acme&view=access&document=plan", { width: 390, height: 844 });
    await lengthen(page);
    for (const path of ["/console/documents?org=acme&document=plan", "/console/webhooks", "/console/tokens"]) {
      await goTo(page, path);
      await page.getByText(longWord).first().waitFor({ state: "attached" });
      const narrow = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll("dt, .status, .tag, button, label > span")]
        .filter((each) => each.checkVisibility() && each.textContent.length > 1 && each.clientWidth > 1)
        .filter((each) => each.clientWidth < 20).map((each) => each.textContent)`);
      expect([path, narrow]).toEqual([path, []]);
    }
  });

  test.each(["nope", "no such/id"])("says that there is no message %s", async (mail) => {
    const { page } = await open(`/console/messages?view=rendered&mail=${encodeURIComponent(mail)}`);
    await page.frameLocator("iframe").getByText("There is no such message.").waitFor();
  });

  test("shows the failure of a further page until a try succeeds, and can be asked again", async () => {
    const { page } = await open("/", { hasClock: true });
    const asked: number[] = [];
    let isFailing = false;
    await page.route("**/v2/organizations/documents/get", (route) => {
      const from = Number(route.request().postDataJSON().data.pageToken ?? 0);
      asked.push(from);
      if (isFailing && from === 2) {
        const error = { status: "UNAVAILABLE", message: "Not now." };
        return route.fulfill({ status: 503, json: { error } });
      }
      const documents = [{ documentId: `item-${from}`, createdAt: "2026-01-01" }];
      return route.fulfill({ json: { result: { data: { documents, nextPageToken: String(from + 1) } } } });
    });
    await goTo(page, documentList);
    const more = page.getByRole("button", { name: "Show more" });
    await page.getByRole("link", { name: "item-0" }).waitFor();
    await more.click();
    await page.getByRole("link", { name: "item-1" }).waitFor();
    isFailing = true;
    await more.click();
    const failure = page.getByRole("alert").filter({ hasText: "Not now." });
    await failure.waitFor();
    for (let polls = 0; polls < 3; polls++) {
      const before = asked.length;
      await page.clock.runFor(10_000);
      await expect.poll(() => asked.slice(before)).toContain(2);
      await failure.waitFor();
      await more.waitFor();
    }
    isFailing = false;
    await more.click();
    await page.getByRole("link", { name: "item-2" }).waitFor();
    await failure.waitFor({ state: "detached" });
    await more.waitFor();
    // The tries asked for one more page in all.
    expect(Math.max(...asked)).toBe(2);
  });
});
