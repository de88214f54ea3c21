import { describe, expect, test } from "vitest";
import { apiDocument } from "../../../../infra/openapi/api-document.ts";
import { closeBrowserAfterAll, lacksBrowser, newPage, type PageOptions } from "../../../support/browser.ts";
import { consoleOf, keys, standInApi } from "../../../support/console/site.ts";

closeBrowserAfterAll();

describe.skipIf(lacksBrowser())("the reference in a browser", () => {
  /** Scalar's address of an operation. */
  const operation = "POST/v2/users/get";
  const [tag = ""] = (apiDocument().paths["/v2/users/get"]?.post?.tags ?? []) as string[];
  const hash = `#tag/${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}/${operation}`;

  async function reference(part: string, options: PageOptions = {}) {
    const api = await standInApi(() => ({
      body: { result: { status: "success", message: "Users retrieved.", data: { users: [] } } },
    }));
    const { url, session } = await consoleOf({ api: api.url });
    const opened = await newPage(options);
    await opened.page.goto(session.address(url));
    await opened.page.goto(`${url}/docs${part}`);
    await opened.page.getByRole("heading", { level: 1 }).first().waitFor();
    return { ...opened, url, api };
  }

  test.each(["light", "dark"] as const)("loads all of itself from its own origin, in %s", async (colorScheme) => {
    const { page, url, requests, errors } = await reference("", { colorScheme });
    await page
      .getByRole("button", { name: /search/i })
      .first()
      .click();
    await page.getByRole("dialog").locator("input").fill("users");
    await page.getByRole("dialog").getByText("/v2/users/get").first().waitFor();
    expect(new Set(requests.map((each) => new URL(each).origin))).toEqual(new Set([url]));
    expect(errors).toEqual([]);
    expect(await page.locator("body.dark-mode").count()).toBe(colorScheme === "dark" ? 1 : 0);
  });

  test("sends a test request through the console, which adds the keys", async () => {
    const { page, api, requests, url } = await reference(hash);
    await page.getByRole("button", { name: /Test Request\s*\(post \/v2\/users\/get\)/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).first().click();
    await page.getByRole("dialog").getByText("Users retrieved.").waitFor();
    expect(api.calls.at(-1)).toMatchObject({ method: "POST", url: "/v2/users/get" });
    expect(api.calls.at(-1)?.headers).toMatchObject({ "x-service-auth-token": keys.authToken });
    expect(requests.filter((each) => !each.startsWith(url))).toEqual([]);
    const text = await page.content();
    expect([keys.apiKey, keys.authToken].filter((each) => text.includes(each))).toEqual([]);
  });

  test("says how to set the keys of the samples, and leads back to the console", async () => {
    const { page, url } = await reference("", { width: 390, height: 844 });
    await page.getByText("export API_KEY AUTH_TOKEN").first().waitFor();
    await page.getByRole("link", { name: "Console" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(page.url()).toBe(`${url}/`);
  });

  test("shows samples for curl, the TypeScript client and Python", async () => {
    const { page } = await reference(hash);
    const example = page.locator(`[id$='${operation}']`);
    await example.getByText("curl -s").first().waitFor();
    await example.getByRole("button", { name: /curl/ }).first().click();
    const options = await page.getByRole("option").allTextContents();
    expect(options.map((each) => each.trim())).toEqual(["curl", "TypeScript", "Python"]);
  });
});
