import { describe, expect, test } from "vitest";
import { closeBrowserAfterAll, lacksBrowser, newPage, type PageOptions } from "../../../support/browser.ts";
import { consoleOf, keys, standInApi } from "../../../support/console/site.ts";

closeBrowserAfterAll();

describe.skipIf(lacksBrowser())("the reference in a browser", () => {
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

  test("finds an operation by words, and loads all of itself from its own origin", async () => {
    const { page, url, requests, errors } = await reference("");
    await page.getByLabel("Search").fill("list USERS");
    await page.getByRole("link", { name: "/v2/users/get" }).click();
    await page.getByRole("heading", { level: 1, name: "List users" }).waitFor();
    expect(new Set(requests.map((each) => new URL(each).origin))).toEqual(new Set([url]));
    expect(errors).toEqual([]);
  });

  test("marks what a user's token opens, and says which access it needs", async () => {
    const { page } = await reference("?operation=comments-update");
    await page.getByText("A user's token opens it too, with the role editor").waitFor();
    const marked = page.getByRole("link", { name: "Update a comment users" });
    await marked.waitFor();
    await page.getByText("A user's call may leave it out").first().waitFor();
    expect(await page.getByRole("link", { name: "List users users" }).count()).toBe(0);
  });

  test("sends a call through the console, which adds the keys", async () => {
    const { page, api, requests, url } = await reference("?operation=users-get");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByLabel("Reply of the call").getByText("Users retrieved.").waitFor();
    expect(api.calls.at(-1)).toMatchObject({ method: "POST", url: "/v2/users/get" });
    expect(api.calls.at(-1)?.headers).toMatchObject({ "x-service-auth-token": keys.authToken });
    expect(requests.filter((each) => !each.startsWith(url))).toEqual([]);
    const sent = api.calls.length;
    await page.getByLabel("Body").press("Control+Enter");
    await expect.poll(() => api.calls.length).toBeGreaterThan(sent);
    const text = await page.content();
    expect([keys.apiKey, keys.authToken].filter((each) => text.includes(each))).toEqual([]);
  });

  test("says how to set the keys of the samples, and leads back to the console", async () => {
    const { page, url } = await reference("", { width: 390, height: 844 });
    await page.getByText("export API_KEY AUTH_TOKEN").first().waitFor();
    // No command is cut.
    const cut = "[...document.querySelectorAll('pre')].filter((each) => each.scrollWidth > each.clientWidth).length";
    expect(await page.evaluate(cut)).toBe(0);
    await page.getByRole("link", { name: "Console" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(page.url()).toBe(`${url}/`);
  });

  test("shows samples for curl, the TypeScript client and Python, and keeps the chosen one", async () => {
    const { page } = await reference("?operation=users-get");
    await page.getByText("curl -s").first().waitFor();
    const language = page.getByLabel("Language");
    expect(await language.locator("option").allTextContents()).toEqual(["curl", "TypeScript", "Python"]);
    await language.selectOption("Python");
    await page.getByRole("link", { name: "Update users" }).click();
    await page.getByText("import requests").waitFor();
  });

  test("shows the fields of fields on request", async () => {
    const { page } = await reference("?operation=users-get");
    const reply = page.getByRole("region", { name: "Reply", exact: true });
    const request = page.getByRole("region", { name: "Request" });
    await request.getByText("organizationId", { exact: true }).first().waitFor();
    await reply.getByLabel("Fields of users").click();
    await reply.getByText("userId", { exact: true }).first().waitFor();
  });

  test("says that an operation does not exist", async () => {
    const { page } = await reference("?operation=constructor");
    await page.getByText("The API has no such operation.").waitFor();
  });
});
