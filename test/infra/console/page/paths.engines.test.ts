// The ways that a person takes through the console, also when calls are slow, lost or wrong.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { alice, bob, documentId, organizationId } from "../../../../infra/local/example-data.ts";
import { closeBrowserAfterAll, focused, lacksBrowser } from "../../../support/browser.ts";
import { consoleOfFile, goTo, settled } from "../../../support/console/opened.ts";

closeBrowserAfterAll();

const plan = `/console/documents?org=${organizationId}&document=${documentId}`;
const place = { organizationId, documentId };
const webhooks = "/v2/workspace/advancedwebhook";

describe.skipIf(lacksBrowser())("a person", () => {
  const opened = consoleOfFile();
  const { open, post } = opened;

  const statusOf = async (id: string) => {
    const path = "/v2/organizations/documents/data/get";
    const { items } = await post<{ items: { status: string }[] }>(path, { ...place, kind: "comments", ids: [id] });
    return items[0]?.status;
  };
  const threadIn = (page: Page, text: string) => page.getByLabel("Comment threads").locator("> li", { hasText: text });

  /** The idempotency keys of the calls of a path. The first reply is lost. */
  async function replyLost(page: Page, path: string) {
    const keys: (string | undefined)[] = [];
    await page.route(path, async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      const response = await route.fetch();
      await (keys.length === 1 ? route.abort() : route.fulfill({ response }));
    });
    return keys;
  }

  test("loads the page from its own origin, and keeps the key that the printed address has brought", async () => {
    const { page, context, errors, requests } = await open("/", { isReadOnly: true });
    await page.getByText("Read only.").waitFor();
    expect(new Set(requests.map((each) => new URL(each).origin))).toEqual(new Set([opened.url]));
    const { cookie, key } = opened.credentials;
    await context.addCookies([cookie]);
    await page.goto("about:blank");
    await page.goto(`${opened.url}/#console-key=${key}`);
    await page.getByText("no paused channel").or(page.getByLabel("Needs attention")).first().waitFor();
    expect(page.url()).toBe(`${opened.url}/`);
    await page.reload();
    await page.getByText("no paused channel").or(page.getByLabel("Needs attention")).first().waitFor();
    expect(await page.getByText("Read only.").count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("gets from the overview into an organization", async () => {
    const { page } = await open("/");
    const acme = page.getByRole("list", { name: "Organizations" }).locator("li", { hasText: "Acme" });
    await acme.getByRole("link", { name: "Who can see what" }).click();
    await page.getByLabel("Who can see it").getByText("Alice Meyer").first().waitFor();
    await page.goBack();
    await acme.getByRole("link", { name: "Acme" }).click();
    await page.getByRole("link", { name: "Plans" }).first().waitFor();
  });

  test("resolves a thread, of a double click only once, and reopens it", async () => {
    const { page } = await open(plan);
    const dates = threadIn(page, "Page 1, Timeline");
    await dates.getByRole("button", { name: "Resolve" }).dblclick();
    await dates.getByText("Resolved", { exact: true }).waitFor();
    expect(await statusOf("dates")).toBe("RESOLVED");
    await dates.getByRole("button", { name: "Reopen" }).click();
    await dates.getByText("Open", { exact: true }).waitFor();
    expect(await statusOf("dates")).toBe("OPEN");
    await page.getByLabel("State").selectOption("RESOLVED");
    await dates.waitFor({ state: "detached" });
    await threadIn(page, "The price is final").waitFor();
  });

  test("deletes a thread only after Yes; Escape or leaving the page cancels", async () => {
    const comment = { commentId: "c-gone", from: alice, text: "Delete me." };
    const comments = [{ annotationId: "gone", from: alice, comments: [comment] }];
    await post("/v2/organizations/documents/data/add", { ...place, location: { id: "page-1" }, comments });
    const { page } = await open(plan);
    const gone = threadIn(page, "Delete me.");
    const ask = async () => {
      await gone.getByRole("button", { name: "Delete thread" }).press("Enter");
      await page.getByRole("dialog").getByText("Nobody can bring it back.").waitFor();
    };
    await ask();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("Delete thread");
    await ask();
    await goTo(page, "/console/jobs");
    await page.locator("h1:focus", { hasText: "Jobs" }).waitFor({ state: "attached" });
    expect(await page.getByRole("dialog").count()).toBe(0);
    await goTo(page, plan);
    await ask();
    await page.getByRole("dialog").getByRole("button", { name: "Delete thread" }).click();
    await gone.waitFor({ state: "detached" });
  });

  test("sees why somebody can edit a document, and why somebody else cannot", async () => {
    const { page } = await open(plan);
    await page.getByRole("link", { name: "Who can see this" }).click();
    const list = page.getByLabel("Who can see it");
    await list.getByText("Alice Meyer can edit Launch plan because of a grant on the folder Plans (editor).").waitFor();
    await list.getByText("Bob Okoro can view Launch plan because of a grant on the whole organization").waitFor();
    await page.getByLabel("Document", { exact: true }).fill("");
    await page.getByLabel("Folder", { exact: true }).fill("contracts");
    await page.keyboard.press("Enter");
    await list.getByText("Alice Meyer cannot see Contracts: it is restricted").waitFor();
    await page.getByLabel("User", { exact: true }).fill("bob");
    await page.keyboard.press("Enter");
    await list.getByText("Alice Meyer").waitFor({ state: "detached" });
  });

  test("sees what a user can see who has a grant on a folder only, and takes the grant away", async () => {
    const users = [{ userId: "dora", name: "Dora Lind", accessRole: "editor" }];
    await post("/v2/users/add", { organizationId, folderId: "plans", users });
    const { page } = await open(`/console/people?org=${organizationId}&user=dora`);
    await page.getByRole("link", { name: "What this user can see" }).click();
    const list = page.getByLabel("What the user can see");
    await list.getByText("Dora Lind can edit Plans because of a grant on the folder itself (editor).").waitFor();
    const plan = list.getByText("Dora Lind can edit Launch plan because of a grant on the folder Plans (editor).");
    await plan.waitFor();
    await list.getByText("Dora Lind can view Handbook because it is public.").waitFor();
    await list.getByText("Dora Lind cannot see Acme: no grant on it or above it gives access.").waitFor();
    await page.getByRole("button", { name: "Remove the grant of Dora Lind on Plans" }).first().click();
    await page.getByRole("dialog").getByText("The grant of Dora Lind on the folder Plans ends.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the grant" }).click();
    await list.getByText("Dora Lind cannot see Launch plan: no grant on it or above it gives access.").waitFor();
    await list.getByRole("link", { name: "Launch plan" }).click();
    await page.getByRole("heading", { level: 1, name: "Launch plan" }).waitFor();
  });

  test("takes the rights of an administrator away, who keeps the role", async () => {
    const users = [{ userId: "eve", name: "Eve Stone", accessRole: "viewer", isAdmin: true }];
    await post("/v2/users/add", { organizationId, users });
    const { page } = await open(`/console/people?org=${organizationId}&view=access&folder=contracts&user=eve`);
    const list = page.getByLabel("Who can see it");
    await list.getByText("Eve Stone can edit Contracts because of being an administrator").waitFor();
    await page.getByRole("button", { name: "Remove the administrator rights of Eve Stone" }).click();
    await page.getByRole("dialog").getByText("Eve Stone keeps the role on the organization").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the rights" }).click();
    await list.getByText("Eve Stone cannot see Contracts: it is restricted").waitFor();
    await goTo(page, `/console/people?org=${organizationId}&user=eve`);
    await page.getByText("viewer", { exact: true }).waitFor();
    expect(await page.getByText("administrator", { exact: true }).count()).toBe(0);
  });

  test("opens a user by the id, and a group with its members", async () => {
    const { page } = await open(`/console/people?org=${organizationId}`);
    await page.getByLabel("Open a user").fill("bob");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: bob.name }).waitFor();
    await goTo(page, `/console/people?org=${organizationId}&view=groups`);
    await page.getByText("Reviewers").first().click();
    await page.getByLabel("Members").getByText(alice.name).waitFor();
  });

  test("finds a failing endpoint, reads its attempts, and sends a test to another one", async () => {
    const { page } = await open("/");
    // They have not failed for good: the next attempt is due.
    const failing = page.getByLabel("Needs attention").locator("li", { hasText: "Deliveries being retried" });
    await failing
      .getByText(/being retried$/)
      .first()
      .waitFor();
    await failing.getByRole("link", { name: "See" }).click();
    const deliveries = page.getByRole("list", { name: "Deliveries" });
    await deliveries.getByText("Launch plan in Acme").first().waitFor();
    await page.getByLabel("State").selectOption("failed");
    await page.getByText("No delivery has this state.").waitFor();
    await page.getByLabel("State").selectOption("pending");
    await deliveries.getByRole("link", { name: "comment.add" }).first().click();
    await page.getByLabel("Attempts").getByText("HTTP 503").first().waitFor();
    await page.getByLabel("Attempts").getByText("The billing service has moved.").first().waitFor();
    await page.getByLabel("Payload").first().getByText(organizationId).first().waitFor();
    await page.getByRole("link", { name: "Webhooks", exact: true }).first().click();
    const works = page.getByLabel("Endpoints").locator("li", { hasText: "the team's chat" });
    await works.getByRole("link").click();
    await page.getByRole("button", { name: "Send a test" }).click();
    const sent = page.getByLabel("Deliveries").locator("li", { hasText: "webhook_endpoint.test" });
    await sent.getByText("Delivered").waitFor();
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByText("The endpoint is enabled.").waitFor();
  });

  test("sends a delivery again, and all that failed in the last day, part by part, after a question", async () => {
    const { endpoints } = await post<{ endpoints: Endpoint[] }>(`${webhooks}/endpoints/get`, {});
    const endpointId = endpoints.find(({ description }) => description.startsWith("Billing"))?.id ?? "";
    const kept = await post<{ deliveries: object[] }>(`${webhooks}/deliveries/get`, { endpointId });
    const deliveries = kept.deliveries.map((each) => ({ ...each, status: "failed", nextAttemptAt: null }));
    const { page } = await open("/");
    await page.route("**/deliveries/get", (route) => {
      const { deliveryId } = route.request().postDataJSON().data;
      // One alone waits long for its next attempt.
      const nextAttemptAt = new Date(Date.now() + 1_560_000).toISOString();
      const waiting = deliveries.slice(0, 1).map((each) => ({ ...each, status: "pending", nextAttemptAt }));
      const data = { deliveries: deliveryId ? waiting : deliveries, nextPageToken: null };
      return route.fulfill({ json: { result: { data } } });
    });
    const sent: { data: object; key: string | undefined }[] = [];
    await page.route("**/deliveries/retry", (route) => {
      const request = route.request();
      sent.push({ ...request.postDataJSON(), key: request.headers()["idempotency-key"] });
      return route.fulfill({ json: { result: { data: { retried: 1, hasMore: sent.length === 2 } } } });
    });
    await goTo(page, `/console/webhooks?endpoint=${endpointId}`);
    await page.getByLabel("Deliveries").getByRole("link", { name: "comment.add" }).first().click();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("It is sent again.").waitFor();
    const webhookId = new URL(page.url()).searchParams.get("delivery");
    expect(sent.map(({ data }) => data)).toEqual([{ endpointId, webhookId }]);
    await page.goBack();
    await page.getByRole("button", { name: "Send again what failed" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send again what failed" }).click();
    await page.getByText("What failed in the last day is sent again.").waitFor();
    const since = Math.floor(Date.now() / 1_000) - 86_400;
    const data = { endpointId, failedSince: expect.closeTo(since, -3) };
    expect(sent.slice(1).map((each) => each.data)).toEqual([data, data]);
    // With one key, the API would repeat its first reply, and the rest would stay.
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  test("adds an endpoint, whose secret reaches the terminal only, and deletes it", async () => {
    const { page } = await open("/console/webhooks");
    await page.getByLabel("URL").fill("http://127.0.0.1:9/");
    await page.getByLabel("Description").fill("Nobody listens there");
    await page.getByLabel("Events").selectOption(["document.add"]);
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("heading", { level: 1, name: "http://127.0.0.1:9/" }).waitFor();
    await page.getByRole("region", { name: "Endpoint" }).getByText("document.add").waitFor();
    await page.getByRole("button", { name: "Print the secret" }).click();
    await page.getByText("The secret is in the terminal of npm start.").waitFor();
    expect(await page.content()).not.toMatch(/whsec_/);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Endpoint deleted.").waitFor();
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  });

  test("turns webhooks off, sees neither endpoints nor a failure, and turns them on again", async () => {
    const { page } = await open("/console/webhooks");
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    for (const path of ["?endpoint=ep_1&delivery=d", "?endpoint=ep_1", ""]) {
      await goTo(page, `/console/webhooks${path}`);
      await page.locator(".empty", { hasText: "Webhooks are off." }).waitFor();
    }
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("button", { name: "Turn off" }).waitFor();
  });

  test("creates a token, which reaches the terminal only and once, and revokes it after a question", async () => {
    const { page } = await open("/console/tokens");
    const keys = await replyLost(page, "**/authtokens/create");
    await page.getByLabel("Name").fill("Nightly export");
    await page.getByLabel("Ends on (UTC), or never").fill("2999-01-01");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
    await page.getByText("The token is in the terminal of npm start.").waitFor();
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]]);
    expect(await page.getByLabel("Name").inputValue()).toBe("");
    expect(await page.content()).not.toMatch(/at_[\w-]{20}/);
    const row = page.getByLabel("Auth tokens").locator("li", { hasText: "Nightly export" });
    await row.getByText("2999").waitFor();
    expect(await row.count()).toBe(1);
    await row.getByRole("button", { name: "Revoke Nightly export" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await row.count()).toBe(1);
    await row.getByRole("button", { name: "Revoke Nightly export" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Revoke demo", exact: true }).click();
    await page.getByRole("dialog").getByText("This console itself calls with the token demo").waitFor();
    expect(await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).isDisabled()).toBe(true);
  });

  test("searches the memory, is told that not all of it was read, and opens a judgment", async () => {
    const { page } = await open("/console/memory");
    await page.route("**/v2/memory/search", async (route) => {
      const { result } = await (await route.fetch()).json();
      await route.fulfill({ json: { result: { ...result, data: { ...result.data, partial: true } } } });
    });
    await page.getByLabel("Words").fill("launch date");
    await page.keyboard.press("Enter");
    await page.getByText("Not all of the memory was searched.").waitFor();
    await page.getByLabel("Judgments").getByRole("link").first().click();
    await page.getByText("Decided by").waitFor();
  });

  test("changes a setting of the workspace, and finds a wrong value refused where it stands", async () => {
    const { page, requests } = await open("/console/settings");
    const email = page.getByRole("region", { name: "E-mail" });
    const save = email.getByRole("button", { name: "Save" });
    await email.getByLabel(/^From company/).fill("Acme Notes");
    await save.click();
    await page.getByText("E-mail: saved.").waitFor();
    const before = requests.length;
    await email.getByLabel(/^Email batch seconds/).fill("");
    await save.click();
    // The browser itself refuses it.
    await page.evaluate(() => fetch("/health"));
    expect(requests.slice(before).filter((url) => url.includes("/update"))).toEqual([]);
    await email.getByLabel(/^Email batch seconds/).fill("60");
    await email.getByLabel(/^From email/).fill("no address");
    await save.click();
    await email
      .getByRole("alert")
      .getByText("Must be an email address that mail servers take, in ASCII before the @. Or empty.")
      .waitFor();
    await email.getByText("Request").waitFor();
    const { emailServiceConfig } = await post<EmailConfig>("/v2/workspace/emailconfig/get", {});
    expect(emailServiceConfig).toMatchObject({ fromCompany: "Acme Notes", fromEmail: "" });
    await page.getByRole("link", { name: "Deployment" }).click();
    const settings = page.getByLabel("Settings of the deployment");
    await settings.locator("li", { hasText: "logRetentionDays" }).getByText("only on AWS").waitFor();
  });

  test("adds a domain and removes it", async () => {
    const { page } = await open("/console/settings");
    await page.getByLabel("Another domain").fill("docs.example.com");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Remove docs.example.com" }).click();
    await page.getByText("Domain removed.").waitFor();
  });

  test("erases a user only after typing the id, and follows the job to its receipt", async () => {
    await post("/v2/users/add", { organizationId, users: [{ userId: "zoe", name: "Zoe", accessRole: "viewer" }] });
    const { page } = await open(`/console/people?org=${organizationId}&user=zoe`, { hasClock: true });
    await page.getByRole("button", { name: "Show the data" }).click();
    await page.getByRole("region", { name: "Data of the user" }).getByText('"zoe"').waitFor();
    await page.getByRole("button", { name: "Erase the user" }).click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Erase the user" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("To confirm, type").fill("zoe");
    await confirm.click();
    const erasure = page.getByRole("region", { name: "Erasure" });
    await erasure.getByText(/Waiting to start|Erasing/).waitFor();
    // An erasure waits for the calls that began before it, which takes a minute.
    const done = { status: "completed", progress: { done: 3, total: 3 }, receipt: "a.signed.receipt" };
    await page.route("**/v2/jobs/status", (route) => route.fulfill({ json: { result: { data: done } } }));
    await page.clock.runFor(2_500);
    await page.getByText("Erased", { exact: true }).waitFor();
    await page.getByText("a.signed.receipt").waitFor();
  });

  test("sees a change of somebody else without a reload, and keeps focus and typed text", async () => {
    const { page } = await open("/console/tokens", { hasClock: true });
    await settled(page);
    await page.getByLabel("Name").fill("I am still typing");
    await post("/v2/workspace/authtokens/create", { name: "From elsewhere", scopes: ["read"] });
    await page.clock.runFor(2_500);
    await page.getByLabel("Auth tokens").getByText("From elsewhere").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("I am still typing");
    expect(await page.evaluate("document.activeElement.name")).toBe("name");
  });

  test("filters the messages, and reads one as it was sent, in a frame that runs nothing", async () => {
    const mails = async () => (await (await fetch(`${opened.url}/console/operations/mails`)).json()).mails.length;
    await expect.poll(mails).toBeGreaterThan(0);
    const { page } = await open("/console/messages");
    const list = page.getByRole("list", { name: "Messages" });
    await list.locator("li", { hasText: "Comment add to bob about Launch plan in Acme" }).first().waitFor();
    await page.getByRole("combobox", { name: "Channel", exact: true }).selectOption("slack");
    await page.getByText("No messages.").waitFor();
    await page.getByRole("link", { name: "Preview" }).click();
    await page.getByLabel("Messages that were rendered").getByText("started a thread").click();
    await page.frameLocator("iframe").getByText("can you check the dates?").waitFor();
    await page.getByText("updates@collaboration.example").waitFor();
    expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
    await goTo(page, "/console/messages?view=rendered&mail=no such/id");
    await page.frameLocator("iframe").getByText("There is no such message.").waitFor();
  });

  test("retries a failed job", async () => {
    const { page } = await open("/console/tokens");
    const own = { does: "Makes deliveries", about: ["endpoint ep_1"], reason: "Error: Full.", causedBy: "request-1" };
    const dueAt = new Date().toISOString();
    const job = { id: "job-1", kind: "fanout", state: "failed", dueAt, attempts: 20, ...own };
    let jobs = [job];
    await page.route("**/console/operations/jobs?*", (route) =>
      route.fulfill({ json: { jobs, place: "--data '/a b'" } }),
    );
    await page.route("**/console/operations/jobs/retry", (route) => {
      jobs = [];
      expect(route.request().postDataJSON()).toEqual({ id: "job-1" });
      return route.fulfill({ json: { id: "job-1", retried: true } });
    });
    await page.getByRole("link", { name: "Overview" }).click();
    const failed = page.getByLabel("Needs attention").locator("li", { hasText: "Failed jobs" });
    await failed.getByRole("link", { name: "See" }).click();
    const row = page.getByLabel("Jobs").locator("li");
    await row.getByText("About: endpoint ep_1").waitFor();
    await row.getByText("The last attempt failed: Error: Full.").waitFor();
    await row.getByText("npm run admin -- trace request-1 --data '/a b'").waitFor();
    await row.getByRole("button", { name: "Retry" }).click();
    await page.getByText("No such jobs now.").waitFor();
  });

  test("sees a failure where it happened, with the id of its request, and tries again", async () => {
    const { page } = await open("/console/documents");
    const error = { status: "INTERNAL", message: "It did not work." };
    await page.route("**/v2/users/get", (route) =>
      route.fulfill({ status: 500, headers: { "x-request-id": "request-1" }, json: { error } }),
    );
    await page.getByRole("link", { name: "People" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("It did not work.").waitFor();
    await alert.getByText("request-1").waitFor();
    await page.unroute("**/v2/users/get");
    await alert.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("list", { name: "Users" }).getByText("Alice Meyer").waitFor();
    await alert.waitFor({ state: "detached" });
  });

  test("is told when the console's server is gone, and goes on when it is back", async () => {
    const { page } = await open("/console/documents");
    await page.route("**/console/**", (route) => route.abort());
    await page.getByRole("link", { name: "People" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "No connection." });
    await alert.first().waitFor();
    await page.unroute("**/console/**");
    await alert.first().getByRole("button", { name: "Retry" }).click();
    await page.getByRole("list", { name: "Users" }).getByText("Alice Meyer").waitFor();
  });

  test("who only reads finds each action disabled, with the reason and the way out", async () => {
    const { page } = await open(plan, { isReadOnly: true });
    const resolve = threadIn(page, "Page 1, Timeline").getByRole("button", { name: "Resolve" });
    expect(await resolve.getAttribute("aria-disabled")).toBe("true");
    const why =
      "To change something, open the last address of the console in the terminal of npm start: Enter prints a new one.";
    expect(await resolve.getAttribute("title")).toContain(why);
    await resolve.click({ force: true });
    await page.getByRole("status").getByText(why).waitFor();
    expect(await statusOf("dates")).toBe("OPEN");
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("Not shown in this window.").waitFor();
    await page.getByRole("link", { name: "Tokens" }).click();
    expect(await page.getByRole("button", { name: "Create token" }).isDisabled()).toBe(true);
  });

  test("sees a page for an address whose folder is not encoded, or that is no page", async () => {
    const { page, errors } = await open(`/console/documents?org=${organizationId}&folder=%25zz`);
    await page.getByRole("heading", { level: 1, name: "%zz" }).waitFor();
    expect(errors.filter((text) => text.includes("URIError"))).toEqual([]);
    await goTo(page, "/console/nowhere");
    await page.getByText("There is no such page.").waitFor();
  });

  test("sees the fault of a page that cannot be shown, and goes on from there", async () => {
    const { page } = await open("/console/documents");
    await page.route("**/v2/users/get", (route) => route.fulfill({ json: { result: { data: { users: [null] } } } }));
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("heading", { level: 1, name: "This page cannot be shown" }).waitFor();
    await page.getByRole("alert").getByText("TypeError").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.unroute("**/v2/users/get");
    await page.goBack();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("list", { name: "Users" }).getByText("Alice Meyer").waitFor();
  });

  test("reads a long list page by page, sees the failure of a page, and asks for it again", async () => {
    const { page } = await open("/");
    let isFailing = false;
    await page.route("**/v2/organizations/documents/get", (route) => {
      const from = Number(route.request().postDataJSON().data.pageToken ?? 0);
      const error = { status: "UNAVAILABLE", message: "Not now." };
      if (isFailing && from === 2) return route.fulfill({ status: 503, json: { error } });
      const documents = [{ documentId: `item-${from}`, createdAt: "2026-01-01" }];
      return route.fulfill({ json: { result: { data: { documents, nextPageToken: String(from + 1) } } } });
    });
    await goTo(page, `/console/documents?org=${organizationId}`);
    const more = page.getByRole("button", { name: "Show more" });
    await page.getByRole("link", { name: "item-0" }).waitFor();
    await more.click();
    await page.getByRole("link", { name: "item-1" }).waitFor();
    isFailing = true;
    await more.click();
    const failure = page.getByRole("alert").filter({ hasText: "Not now." });
    await failure.waitFor();
    isFailing = false;
    await more.click();
    await page.getByRole("link", { name: "item-2" }).waitFor();
    await failure.waitFor({ state: "detached" });
    expect(await page.getByLabel("Documents").getByRole("link").count()).toBe(3);
  });

  test("makes no call while the tab is hidden, and goes on when it is seen again", async () => {
    const { page, requests } = await open(plan, { hasClock: true });
    await page.getByLabel("Comment threads").waitFor();
    const show = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
          document.dispatchEvent(new Event("visibilitychange"));`);
    await show(true);
    const before = requests.length;
    await page.clock.runFor(60_000);
    expect(requests.length).toBe(before);
    await show(false);
    await expect.poll(() => requests.length).toBeGreaterThan(before);
  });

  test("ends the calls of a page that is left, so the next page can load", async () => {
    const { page } = await open("/console/tokens");
    const pending = new Set<string>();
    const isOfPage = (url: string) => /\/v2\/(users|auth|organizations\/(?:folders|documents))\//.test(url);
    page.on("request", (request) => void (isOfPage(request.url()) && pending.add(new URL(request.url()).pathname)));
    page.on("requestfailed", (request) => void pending.delete(new URL(request.url()).pathname));
    await page.route(
      (url) => isOfPage(url.href),
      () => {},
    );
    await goTo(page, `/console/people?org=${organizationId}&view=access`);
    const paths = ["users/get", "organizations/folders/get", "organizations/documents/get"];
    const expected = paths.map((path) => `/console/api/v2/${path}`).sort();
    await expect.poll(() => [...pending].sort()).toEqual(expected);
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByRole("list", { name: "Auth tokens" }).waitFor();
    await expect.poll(() => [...pending]).toEqual([]);
  });

  test("filters the activity log by user and event, and opens a record", async () => {
    const activities = async () =>
      (await post<{ activities: object[] }>("/v2/activities/get", { organizationId })).activities.length;
    // The log has an event 15 to 20 seconds after its call.
    await expect.poll(activities, { interval: 1_000 }).toBeGreaterThan(0);
    const { page } = await open(`/console/activity?org=${organizationId}`);
    const rows = page.getByRole("list", { name: "Activities" }).locator("> li");
    await rows.filter({ hasText: "Alice Meyer" }).first().waitFor();
    await rows.filter({ hasText: "by the API, token demo" }).first().waitFor();
    await page.getByLabel("User", { exact: true }).fill("bob");
    await page.keyboard.press("Enter");
    await rows.filter({ hasText: "Alice Meyer" }).first().waitFor({ state: "detached" });
    await rows.filter({ hasText: "Bob Okoro" }).first().locator("summary").click();
    await page.getByLabel("Details of the activity").first().getByText("eventType").waitFor();
    await page.getByRole("combobox", { name: "Event", exact: true }).selectOption("folder.delete");
    await page.getByText("No activity is like this.").waitFor();
    expect(new URL(page.url()).searchParams.get("user")).toBe("bob");
  });
});

interface Endpoint {
  id: string;
  description: string;
}

interface EmailConfig {
  emailServiceConfig: object;
}
