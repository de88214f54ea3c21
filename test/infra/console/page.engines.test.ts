import { describe, expect, test } from "vitest";
import { closeBrowserAfterAll, focused, lacksBrowser, newPage } from "../../support/browser.ts";
import { consoleOfFile, goTo, settled } from "../../support/console/opened.ts";
import { serve } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

closeBrowserAfterAll();

describe.skipIf(lacksBrowser())("the console in a browser", () => {
  const opened = consoleOfFile({ hasStory: false });
  const { open } = opened;

  /** Throws when something has failed. */
  const call = async (path: string, data: object) =>
    expect(JSON.stringify(await opened.post(path, data))).not.toMatch(/"success":false/);

  test("loads its page from its own origin, without an error of its policy", async () => {
    const { page, errors, requests } = await open("/", { isReadOnly: true });
    expect(errors).toEqual([]);
    expect(new Set(requests.map((each) => new URL(each).origin))).toEqual(new Set([opened.url]));
    // A workspace in order: the text about it is longer than a narrow screen.
    await page.getByText("no failed job").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const [shown, wide] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
    expect(wide).toBe(shown);
  });

  test("a new workspace has nothing that needs attention, and its webhooks are off", async () => {
    const { ready } = await serve(temporaryFolder());
    const { page, errors } = await newPage();
    await page.goto(ready.console);
    await page.getByText("no failed delivery to a webhook endpoint").waitFor();
    for (const path of ["?endpoint=ep_1&delivery=d", "?endpoint=ep_1", ""]) {
      await page.goto(`${ready.url}/console/webhooks${path}`);
      await page.getByText("Webhooks are off.").waitFor();
      expect(await page.getByText("That failed").count()).toBe(0);
    }
    // The second click of a double click comes when the button means the contrary.
    await page.evaluate(() => {
      const button = [...document.querySelectorAll("button")].find((each) => each.textContent === "Turn on");
      if (!button) throw new Error("There is no button.");
      new MutationObserver(() => button.textContent === "Turn off" && setTimeout(() => button.click())).observe(
        button,
        {
          subtree: true,
          characterData: true,
          childList: true,
        },
      );
      button.click();
    });
    await page.getByRole("button", { name: "Turn off" }).waitFor();
    await page.getByText("No endpoints yet.").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("an address that names no view shows the first one", async () => {
    const { page } = await open("/");
    for (const [path, heading] of [
      ["memory", "Ask"],
      ["messages", "Messages"],
    ] as const) {
      await page.goto(`${opened.url}/console/${path}?view=constructor`);
      await page.locator('[aria-current="page"]', { hasText: heading }).last().waitFor();
      await page.locator("main h2").first().waitFor();
    }
    expect((await page.goto(`${opened.url}/docs/`))?.status()).toBe(200);
  });

  test("an edit tells what has changed meanwhile, and the focus stays near", async () => {
    const place = { organizationId: "acme", documentId: "plan" };
    const from = { userId: "alice" };
    await call("/v2/organizations/add", { organizations: [{ organizationId: "acme" }] });
    await call("/v1/organizations/documents/add", { organizationId: "acme", documents: [{ documentId: "plan" }] });
    const thread = { annotationId: "a", from, comments: [{ commentId: "c", text: "First.", from }] };
    await call("/v2/organizations/documents/data/add", { ...place, location: { id: "p" }, comments: [thread] });
    const { page } = await open("/console/documents?org=acme&document=plan", { hasClock: true });
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    await expect.poll(() => focused(page)).toBe("TEXTAREA");
    await page.keyboard.type(" Mine.");
    await call("/v2/commentannotations/comments/update", {
      ...place,
      annotationId: "a",
      commentId: "c",
      text: "Theirs.",
    });
    await page.clock.runFor(2_500);
    await page.getByText("yours replaces it: “Theirs.”").waitFor();
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("First. Mine.").first().waitFor();
    await expect.poll(() => focused(page)).toBe("Edit");
    await page.getByRole("button", { name: "Delete comment" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete comment" }).press("Enter");
    await page.getByText("First. Mine.").waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe(await page.locator("main h1").textContent());
  });

  test("no page is wider than its window, however long a word is", async () => {
    const long = "quarterly_report_final_v3_reviewed_by_legal_".repeat(5).slice(0, 200);
    const place = { organizationId: long, documentId: long };
    await call("/v2/organizations/add", { organizations: [{ organizationId: long, organizationName: long }] });
    await call("/v2/users/add", { organizationId: long, users: [{ userId: long, name: long }] });
    await call("/v1/organizations/documents/add", {
      organizationId: long,
      documents: [{ documentId: long, documentName: long }],
    });
    const from = { userId: long, name: long };
    await call("/v2/organizations/documents/data/add", {
      ...place,
      location: { id: long, locationName: long },
      comments: [{ annotationId: long, from, priority: "P1", comments: [{ commentId: "c", text: long, from }] }],
    });
    await call("/v2/workspace/authtokens/create", { name: long, scopes: ["read"] });
    const { page } = await open("/");
    const excess = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return Math.max(0, scrollWidth - clientWidth);
      });
    const query = `org=${long}`;
    const pages = [
      "documents",
      `documents?${query}`,
      `documents?${query}&document=${long}`,
      "people",
      `people?${query}`,
    ];
    pages.push(`people?${query}&view=access`, `people?${query}&view=access&document=${long}`);
    pages.push(`people?${query}&user=${long}`, `activity?${query}`, "tokens");
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      for (const each of pages) {
        await goTo(page, `/console/${each}`);
        await page.getByText(long.slice(0, 40)).first().waitFor({ state: "attached" });
        await settled(page);
        expect({ each, width, excess: await excess() }).toEqual({ each, width, excess: 0 });
      }
      await page.getByRole("button", { name: "Revoke quarterly" }).click();
      const dialog = await page
        .getByRole("dialog")
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(dialog).toBe(0);
      // The address changes without a reload.
      await page.evaluate(() => history.back());
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  });

  test("the printed address opens it for changes, and disappears from the address bar", async () => {
    const { ready } = await serve(temporaryFolder());
    const { page } = await newPage();
    const session = () =>
      page.evaluate(async () => {
        const headers = { "x-console-key": localStorage.getItem("console-key") ?? "" };
        return (await fetch("/console/session", { headers })).json();
      });
    await page.goto(ready.url);
    expect(await session()).toMatchObject({ mode: "local", api: ready.url, canChange: false, scopes: ["read"] });
    await page.goto(ready.console);
    expect(page.url()).toBe(`${ready.url}/`);
    expect(await session()).toMatchObject({ canChange: true, scopes: ["read", "write", "admin"] });
  });
});
