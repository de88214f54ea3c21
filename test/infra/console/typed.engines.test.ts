// A comment that the reader has typed and not sent stays, whatever happens to its form and its thread.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { closeBrowserAfterAll, focused, lacksBrowser, runOut } from "../../support/browser.ts";
import { documentsOf } from "../../support/console/document-page.ts";
import { consoleOfFile } from "../../support/console/opened.ts";

closeBrowserAfterAll();

const threadOf = (page: Page, id: string) =>
  page
    .getByRole("listitem")
    .filter({ hasText: `Text of ${id}.` })
    .first();
const replyOf = (page: Page, id: string) => threadOf(page, id).getByPlaceholder("Reply");

describe.skipIf(lacksBrowser())("a comment that is not sent", () => {
  const documentPage = documentsOf(consoleOfFile({ hasStory: false }));

  test("is in a notice after somebody has deleted its thread or the comment, and Discard removes it", async () => {
    const { page, place, post } = await documentPage("one", "two");
    await replyOf(page, "one").fill("My reply.");
    await threadOf(page, "two").getByRole("button", { name: "Edit" }).click();
    await expect.poll(() => focused(page)).toBe("TEXTAREA");
    await page.keyboard.type(" My change.");
    await post("/v2/organizations/documents/data/delete", { ...place, kind: "comments", ids: ["one"] });
    await page.clock.runFor(2_500);
    await page.getByText("Your reply is not sent. Its thread is not shown: somebody").waitFor();
    await page.getByText("My reply.", { exact: true }).waitFor();
    const comment = { annotationId: "two", commentIds: ["two-comment"] };
    await post("/v2/commentannotations/comments/delete", { ...place, ...comment });
    await page.clock.runFor(2_500);
    await page.getByText("Your change is not saved. Its comment is not shown: somebody").waitFor();
    await page.getByText("Text of two. My change.").waitFor();
    await page.getByRole("button", { name: "Discard" }).first().click();
    await expect.poll(() => page.getByRole("button", { name: "Discard" }).count()).toBe(1);
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByText("Text of two. My change.").waitFor({ state: "detached" });
  });

  test("stays when the reader filters the threads or opens another page, and Save ends it", async () => {
    const { page } = await documentPage("one", "two");
    await page.getByPlaceholder("New comment").fill("A new one.");
    await replyOf(page, "one").fill("My reply.");
    await threadOf(page, "two").getByRole("button", { name: "Edit" }).click();
    await expect.poll(() => focused(page)).toBe("TEXTAREA");
    await page.keyboard.type(" My change.");
    await page.getByLabel("State").selectOption("RESOLVED");
    await expect.poll(() => page.getByRole("button", { name: "Discard" }).count()).toBe(2);
    await page.getByRole("link", { name: "Jobs" }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await page.goBack();
    await replyOf(page, "one").waitFor();
    expect(await replyOf(page, "one").inputValue()).toBe("My reply.");
    expect(await page.getByPlaceholder("New comment").inputValue()).toBe("A new one.");
    expect(await page.getByLabel("Text of the comment").inputValue()).toBe("Text of two. My change.");
    expect(await page.getByRole("button", { name: "Discard" }).count()).toBe(0);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("paragraph").filter({ hasText: "Text of two. My change." }).waitFor();
    await page.getByLabel("Text of the comment").waitFor({ state: "detached" });
  });

  test("is removed with the thread that the reader deletes", async () => {
    const { page } = await documentPage("one", "two");
    await replyOf(page, "one").fill("My reply.");
    await threadOf(page, "one").getByRole("button", { name: "Delete thread" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete thread" }).click();
    await page.getByText("Text of one.").waitFor({ state: "detached" });
    await runOut(page);
    expect(await page.getByRole("button", { name: "Discard" }).count()).toBe(0);
  });

  test("stays when the reader types more during a save and the form goes, and no notice names somebody else", async () => {
    const { page } = await documentPage("one");
    const { promise, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/comments/update", async (route) => {
      await promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Text of the comment").fill("First.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByLabel("State").selectOption("RESOLVED");
    await page.getByLabel("Text of the comment").waitFor({ state: "detached" });
    await page.getByLabel("State").selectOption("");
    await page.getByLabel("Text of the comment").fill("First. Second.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The first try still runs.").waitFor();
    release();
    await page.getByText("Comment changed.").waitFor();
    expect(await page.getByLabel("Text of the comment").inputValue()).toBe("First. Second.");
    await page.getByLabel("State").selectOption("RESOLVED");
    await page.getByText("First. Second.").waitFor();
    await page.getByLabel("State").selectOption("");
    await page.getByLabel("Text of the comment").waitFor();
    expect(await page.getByText("Somebody has changed").count()).toBe(0);
  });

  test("keeps its place in the document when it starts a thread", async () => {
    const { page } = await documentPage("one");
    const where = page.getByLabel("Place in the document");
    await where.fill("Page 9");
    await page.getByPlaceholder("New comment").fill("A new one.");
    await page.getByRole("link", { name: "Jobs" }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await page.goBack();
    await page.getByText("Text of one.").waitFor();
    expect(await where.inputValue()).toBe("Page 9");
    expect(await page.getByPlaceholder("New comment").inputValue()).toBe("A new one.");
  });

  test("is not called deleted when its thread is further down", async () => {
    const { page } = await documentPage(...Array.from({ length: 52 }, (_, index) => `${index}`));
    await page.getByRole("button", { name: "Show more" }).click();
    const threads = page.getByLabel("Comment threads").locator("> li");
    await expect.poll(() => threads.count()).toBe(52);
    await threads.last().getByPlaceholder("Reply").fill("My reply.");
    await page.getByRole("link", { name: "Jobs" }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await page.goBack();
    await page.getByText("Its thread is not shown: it is further down, somebody has deleted it").waitFor();
  });

  test("takes no focus when its form comes back", async () => {
    const { page } = await documentPage("one");
    await page.getByRole("button", { name: "Edit" }).click();
    await expect.poll(() => focused(page)).toBe("TEXTAREA");
    await page.getByLabel("State").selectOption("RESOLVED");
    await page.getByLabel("Text of the comment").waitFor({ state: "detached" });
    await page.getByLabel("State").focus();
    await page.getByLabel("State").selectOption("");
    await page.getByLabel("Text of the comment").waitFor();
    await runOut(page);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SELECT");
  });
});
