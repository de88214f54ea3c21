// The console when calls are slow, lost or wrong.
import type { Page, Request, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { documentId, organizationId } from "../../../../infra/local/example-data.ts";
import { closeBrowserAfterAll, lacksBrowser, stopClock } from "../../../support/browser.ts";
import { consoleOfFile, goTo, settled } from "../../../support/console/opened.ts";

closeBrowserAfterAll();

const plan = `/console/documents?org=${organizationId}&document=${documentId}`;

/** Holds the calls of a path back until `release`. */
async function held(page: Page, path: string) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(path, async (route: Route) => {
    arrive();
    await promise;
    await route.continue();
  });
  return { arrived, release };
}

const threadIn = (page: Page, text: string) => page.getByLabel("Comment threads").locator("> li", { hasText: text });

describe.skipIf(lacksBrowser())("a person", () => {
  const { open, post } = consoleOfFile();

  describe("keeps what is typed while the former text is sent", () => {
    test("of a reply", async () => {
      const { page } = await open(plan);
      const call = await held(page, "**/comments/add");
      const dates = threadIn(page, "Page 1, Timeline");
      const field = dates.getByLabel(/^Reply as/);
      await field.fill("First.");
      await dates.getByRole("button", { name: "Reply" }).click();
      await call.arrived;
      await field.pressSequentially(" Second.");
      call.release();
      await page.getByText("Reply added.").waitFor();
      expect(await field.inputValue()).toBe(" Second.");
    });

    test("of a comment that is changed", async () => {
      const { page } = await open(plan);
      const call = await held(page, "**/comments/update");
      const comment = page.locator(".comment").first();
      await comment.getByRole("button", { name: "Edit" }).click();
      const field = comment.getByLabel("Text of the comment");
      await field.fill("First.");
      await comment.getByRole("button", { name: "Save" }).click();
      await call.arrived;
      await field.pressSequentially(" Second.");
      call.release();
      await page.getByText("Comment changed.").waitFor();
      expect(await field.inputValue()).toBe("First. Second.");
    });

    test("of a setting", async () => {
      const { page } = await open("/console/settings");
      const call = await held(page, "**/emailconfig/update");
      const email = page.getByRole("region", { name: "E-mail" });
      const name = email.getByLabel("Sender's name");
      await name.fill("First");
      await email.getByRole("button", { name: "Save" }).click();
      await call.arrived;
      await name.fill("Second");
      await email.getByLabel("Sender's address").fill("a@example.com");
      call.release();
      await page.getByText("E-mail: saved.").waitFor();
      expect(await name.inputValue()).toBe("Second");
      expect(await email.getByLabel("Sender's address").inputValue()).toBe("a@example.com");
    });
  });

  /** The idempotency keys and bodies of calls whose first reply is lost. */
  async function replyLost(page: Page, path: string) {
    const keys: (string | undefined)[] = [];
    const bodies: string[] = [];
    await page.route(path, async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      bodies.push(route.request().postData() ?? "");
      const response = await route.fetch();
      await (keys.length === 1 ? route.abort() : route.fulfill({ response }));
    });
    return { keys, bodies };
  }

  describe("whose reply was lost, tries again and writes once", () => {
    test("a comment, and then the same text as a new one", async () => {
      const { page } = await open(plan);
      const { keys } = await replyLost(page, "**/comments/add");
      const dates = threadIn(page, "Page 1, Timeline");
      const send = async () => {
        await dates.getByLabel(/^Reply as/).fill("Written once.");
        await dates.getByRole("button", { name: "Reply" }).click();
      };
      const written = dates.locator(".comment", { hasText: "Written once." });
      await send();
      await dates.getByRole("alert").getByRole("button", { name: "Retry" }).click();
      await page.getByText("Reply added.").waitFor();
      await written.waitFor();
      expect(await written.count()).toBe(1);
      expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]]);
      await send();
      await written.nth(1).waitFor();
      expect(keys[2]).not.toBe(keys[0]);
    });

    test("a comment, after a look at another page", async () => {
      const { page } = await open(plan);
      const { keys } = await replyLost(page, "**/comments/add");
      const dates = threadIn(page, "Page 1, Timeline");
      await dates.getByLabel(/^Reply as/).fill("Written before I looked.");
      await dates.getByRole("button", { name: "Reply" }).click();
      await dates.getByRole("alert").waitFor();
      await goTo(page, "/console/jobs");
      await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
      await goTo(page, plan);
      await dates.getByRole("button", { name: "Reply" }).click();
      await page.getByText("Reply added.").waitFor();
      expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]]);
      const written = dates.locator(".comment", { hasText: "Written before I looked." });
      await written.waitFor();
      expect(await written.count()).toBe(1);
      expect(await dates.getByLabel(/^Reply as/).inputValue()).toBe("");
    });

    test("a thread", async () => {
      const { page } = await open(plan);
      const { keys, bodies } = await replyLost(page, "**/documents/data/add");
      await page.getByLabel(/^New comment as/).fill("Started once.");
      await page.getByRole("button", { name: "Comment", exact: true }).click();
      await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
      await page.getByText("Comment added.").waitFor();
      await threadIn(page, "Started once.").waitFor();
      expect(await threadIn(page, "Started once.").count()).toBe(1);
      expect([keys[1], bodies[1]]).toEqual([keys[0], bodies[0]]);
    });

    test("a token, whose end is the one of the first try", async () => {
      const { page } = await open("/console/tokens", { hasClock: true });
      const { keys, bodies } = await replyLost(page, "**/authtokens/create");
      await page.getByLabel("Name").fill("Made once");
      await page.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("alert").waitFor();
      await page.clock.fastForward(2_000);
      await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
      await page.getByText("The token is in the terminal of npm start.").waitFor();
      expect([keys[1], bodies[1]]).toEqual([keys[0], bodies[0]]);
      await page.getByLabel("Auth tokens").getByText("Made once").first().waitFor();
      expect(await page.getByLabel("Auth tokens").locator("li", { hasText: "Made once" }).count()).toBe(1);
    });
  });

  describe("whose page stays open", () => {
    test("gets the first pages of a long list again and again, and the others now and then", async () => {
      const { page } = await open("/", { hasClock: true });
      const names = Array.from({ length: 9 }, (_, place) => `item-${place}`);
      const asked: number[] = [];
      await page.route("**/v2/organizations/documents/get", (route) => {
        const from = Number(route.request().postDataJSON().data.pageToken ?? 0);
        asked.push(from);
        const documents = names.slice(from, from + 2).map((documentId) => ({ documentId, createdAt: "2026-01-01" }));
        return route.fulfill({ json: { result: { data: { documents, nextPageToken: String(from + 2) } } } });
      });
      await goTo(page, `/console/documents?org=${organizationId}`);
      await page.getByRole("link", { name: "item-1" }).waitFor();
      await stopClock(page);
      for (const last of [1, 3, 5]) {
        await page.getByRole("link", { name: `item-${last}` }).waitFor();
        await page.getByRole("button", { name: "Show more" }).click();
      }
      await page.getByRole("link", { name: "item-7" }).waitFor();
      asked.length = 0;
      names.unshift("new");
      await page.clock.runFor(2_600);
      await page.getByRole("link", { name: "new" }).waitFor();
      expect(asked).toEqual([0, 2]);
      expect(await page.getByLabel("Documents").getByRole("link").count()).toBe(9);
      await page.clock.fastForward(60_000);
      await expect.poll(() => asked).toEqual([0, 2, 0, 2, 4, 6]);
    });

    test("makes no call while its tab is hidden, and goes on when it is seen again", async () => {
      const { page, requests } = await open(plan, { hasClock: true });
      const pending = new Set<Request>();
      page.on("request", (request) => void pending.add(request));
      page.on("requestfinished", (request) => void pending.delete(request));
      page.on("requestfailed", (request) => void pending.delete(request));
      await page.getByLabel("Comment threads").waitFor();
      await settled(page);
      await stopClock(page);
      const show = (isHidden: boolean) =>
        page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
          document.dispatchEvent(new Event("visibilitychange"));`);
      await show(true);
      // What had begun ends.
      await page.clock.runFor(60_000);
      await expect.poll(() => pending.size).toBe(0);
      const before = requests.length;
      await page.clock.runFor(60_000);
      expect(requests.length).toBe(before);
      await show(false);
      await expect.poll(() => requests.length).toBeGreaterThan(before);
    });
  });

  describe("sends again", () => {
    const webhooks = "/v2/workspace/advancedwebhook";

    /** A page with the failing endpoint of the story, whose deliveries have all failed for good. */
    async function opened() {
      const { endpoints } = await post<{ endpoints: Endpoint[] }>(`${webhooks}/endpoints/get`, {});
      const endpointId = endpoints.find(({ description }) => description.startsWith("Billing"))?.id ?? "";
      const kept = await post<{ deliveries: object[] }>(`${webhooks}/deliveries/get`, { endpointId });
      const deliveries = kept.deliveries.map((each) => ({ ...each, status: "failed", nextAttemptAt: null }));
      const { page } = await open("/");
      await page.route("**/deliveries/get", (route) => {
        const { deliveryId } = route.request().postDataJSON().data;
        const data = { deliveries: deliveryId ? deliveries.slice(0, 1) : deliveries, nextPageToken: null };
        return route.fulfill({ json: { result: { data } } });
      });
      const sent: { data: object; key: string | undefined }[] = [];
      await page.route("**/deliveries/retry", (route) => {
        const request = route.request();
        sent.push({ ...request.postDataJSON(), key: request.headers()["idempotency-key"] });
        return route.fulfill({ json: { result: { data: { retried: 1, hasMore: sent.length < 3 } } } });
      });
      await goTo(page, `/console/webhooks?endpoint=${endpointId}`);
      return { page, sent, endpointId };
    }

    test("one delivery", async () => {
      const { page, sent, endpointId } = await opened();
      await page.getByLabel("Deliveries").getByRole("link", { name: "comment.add" }).first().click();
      await page.getByRole("button", { name: "Send again" }).click();
      await page.getByText("It is sent again.").waitFor();
      const webhookId = new URL(page.url()).searchParams.get("delivery");
      expect(sent.map(({ data }) => data)).toEqual([{ endpointId, webhookId }]);
      await goTo(page, "/");
      const failed = page.getByLabel("Needs attention").locator("li", { hasText: "Failed deliveries" }).first();
      await failed.getByText(/\d failed for good$/).waitFor();
    });

    test("all that failed in the last day, part by part, after a question", async () => {
      const { page, sent, endpointId } = await opened();
      const since = Math.floor(Date.now() / 1_000) - 86_400;
      await page.getByRole("button", { name: "Send again what failed" }).click();
      await page.getByRole("dialog").getByText("All deliveries of the last 24 hours").waitFor();
      expect(sent).toEqual([]);
      await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
      await page.getByText("What failed in the last day is sent again.").waitFor();
      const [{ data } = { data: {} }] = sent;
      expect(data).toEqual({ endpointId, failedSince: expect.closeTo(since, -3) });
      expect(sent.map((each) => each.data)).toEqual([data, data, data]);
      // With one key, the API would repeat its first reply, and the rest would stay.
      expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
    });
  });

  test("who clears a number is told so at the field, and sends nothing", async () => {
    const { page, requests } = await open("/console/settings");
    const email = page.getByRole("region", { name: "E-mail" });
    const seconds = email.getByLabel("Wait, in seconds");
    const stored = await seconds.inputValue();
    await seconds.fill("");
    await email.getByRole("alert").getByText("Type a number, or discard it.").waitFor();
    expect(await seconds.getAttribute("aria-invalid")).toBe("true");
    expect(await email.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await seconds.press("Enter");
    await seconds.fill("60");
    await email.getByRole("alert").waitFor({ state: "detached" });
    const secret = email.getByRole("textbox", { name: /^SendGrid key/ });
    await email.getByRole("button", { name: "Discard" }).click();
    expect(await seconds.inputValue()).toBe(stored);
    await secret.fill("typed");
    await secret.fill("");
    await email.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(requests.filter((url) => url.includes("/update"))).toEqual([]);
  });

  test("sees a page for an address whose folder is not encoded", async () => {
    const { page, errors } = await open(`/console/documents?org=${organizationId}&folder=%25zz`);
    await page.getByRole("heading", { level: 1, name: "%zz" }).waitFor();
    expect(errors.filter((text) => text.includes("URIError"))).toEqual([]);
  });

  test("sees the fault of a page that cannot be shown, and goes on from there", async () => {
    const { page } = await open("/console/documents");
    await page.route("**/v2/users/get", (route) => route.fulfill({ json: { result: { data: { users: [null] } } } }));
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("heading", { level: 1, name: "This page cannot be shown" }).waitFor();
    await page.getByRole("alert").getByText("TypeError").waitFor();
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.unroute("**/v2/users/get");
    await page.goBack();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByLabel("Users").getByText("Alice Meyer").waitFor();
  });

  test("keeps what is chosen in the finder while more is found, and is told when nothing is", async () => {
    const { page } = await open("/");
    const users = await held(page, "**/v2/users/get");
    await goTo(page, `/console/documents?org=${organizationId}`);
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Go to" });
    await field.fill("ca");
    await page.getByRole("status").getByText("Looking for documents and people").waitFor();
    const chosen = await page.getByRole("option").nth(1).textContent();
    await field.press("ArrowDown");
    users.release();
    await page.getByRole("option", { name: "Carol Silva" }).waitFor();
    expect(await page.getByRole("option", { selected: true }).textContent()).toBe(chosen);
    await field.fill("nobody has this");
    await page.getByRole("status").getByText("Nothing has this name.").waitFor();
  });

  describe("filters the activity log", () => {
    const log = `/console/activity?org=${organizationId}`;

    test("by a name in the address, and is told if several users have it", async () => {
      const users = ["u5 Eve", "u6 Dup", "u7 Dup"].map((each) => ({ userId: each.slice(0, 2), name: each.slice(3) }));
      await post("/v2/users/add", { organizationId, users });
      const { page } = await open("/");
      const asked = page.waitForRequest((request) => request.postData()?.includes('"userIds":["u5"]') === true);
      await goTo(page, `${log}&user=eve`);
      await asked;
      await page.getByText("No activity has the user “Eve”.").waitFor();
      expect(await page.getByText("There is no user").count()).toBe(0);
      await page.getByLabel("User", { exact: true }).fill("Dup");
      await page.keyboard.press("Enter");
      await page.getByText("Several users have the name “Dup”: choose one.").waitFor();
    });

    test("and sees the filter that applies, also after Back or in another organization", async () => {
      const { page } = await open(log);
      await page.locator('option[value="Bob Okoro"]').waitFor({ state: "attached" });
      const field = page.getByLabel("User", { exact: true });
      await field.fill("Bob Okoro");
      await field.fill("");
      await field.blur();
      await goTo(page, `${log}&user=alice`);
      await expect.poll(() => field.inputValue()).toBe("Alice Meyer");
      await field.fill("Nobody yet");
      await goTo(page, "/console/activity?org=globex");
      await expect.poll(() => field.inputValue()).toBe("");
      expect(new URL(page.url()).search).toBe("?org=globex");
    });
  });

  test("who leaves a page of a slow API ends its calls, so the next page can load", async () => {
    const { page } = await open("/console/tokens");
    const pending = new Set<string>();
    const isOfPage = (url: string) => /\/v2\/(users|organizations|auth)\//.test(url);
    page.on("request", (request) => void (isOfPage(request.url()) && pending.add(new URL(request.url()).pathname)));
    page.on("requestfailed", (request) => void pending.delete(new URL(request.url()).pathname));
    await page.route(
      (url) => isOfPage(url.href),
      () => {},
    );
    await goTo(page, `/console/people?org=${organizationId}&view=access`);
    const paths = ["organizations/get", "users/get", "organizations/folders/get", "organizations/documents/get"];
    const expected = paths.map((path) => `/console/api/v2/${path}`).sort();
    await expect.poll(() => [...pending].sort()).toEqual(expected);
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByRole("list", { name: "Auth tokens" }).waitFor();
    await expect.poll(() => [...pending]).toEqual([]);
  });
});

interface Endpoint {
  id: string;
  description: string;
}
