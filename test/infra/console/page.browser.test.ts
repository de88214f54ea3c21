import { describe, expect, test } from "vitest";
import { closeBrowserAfterAll, lacksBrowser, newPage } from "../../support/browser.ts";
import { serve } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

closeBrowserAfterAll();

describe.skipIf(lacksBrowser())("the console in a browser", () => {
  test("loads its page from its own origin, without an error of its policy", async () => {
    const { ready } = await serve(temporaryFolder());
    const { page, errors, requests } = await newPage();
    await page.goto(ready.url);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(errors).toEqual([]);
    expect(new Set(requests.map((each) => new URL(each).origin))).toEqual(new Set([ready.url]));
    // A workspace in order: the text about it is longer than a narrow screen.
    await page.getByText("no failed job").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const [shown, wide] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
    expect(wide).toBe(shown);
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
