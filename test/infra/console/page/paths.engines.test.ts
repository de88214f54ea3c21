// The ways that a person takes through the console.
import { execFileSync } from "node:child_process";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { alice, bob, documentId, organizationId } from "../../../../infra/local/example-data.ts";
import { closeBrowserAfterAll, lacksBrowser } from "../../../support/browser.ts";
import { consoleOfFile, goTo, settled } from "../../../support/console/opened.ts";

closeBrowserAfterAll();

const plan = `/console/documents?org=${organizationId}&document=${documentId}`;
const place = { organizationId, documentId };

describe.skipIf(lacksBrowser())("a person", () => {
  const opened = consoleOfFile();
  const { open, post } = opened;

  /** The annotation of the story, as the API has it. */
  const thread = async (id: string) => {
    const path = "/v2/organizations/documents/data/get";
    const { items } = await post<{ items: Thread[] }>(path, { ...place, kind: "comments", ids: [id] });
    return items[0];
  };

  const threadIn = (page: Page, text: string) => page.getByLabel("Comment threads").locator("> li", { hasText: text });

  test("resolves a comment and reopens it", async () => {
    const { page } = await open(plan);
    const dates = threadIn(page, "Page 1, Timeline");
    await dates.getByRole("button", { name: "Resolve" }).click();
    await dates.getByText("Resolved", { exact: true }).waitFor();
    expect((await thread("dates"))?.status).toBe("RESOLVED");
    await dates.getByRole("button", { name: "Reopen" }).click();
    await dates.getByText("Open", { exact: true }).waitFor();
    expect((await thread("dates"))?.status).toBe("OPEN");
  });

  test("replies as a user, edits the reply, and deletes it after a question", async () => {
    const { page } = await open(plan);
    await page.getByLabel("Write as").selectOption(alice.userId);
    const dates = threadIn(page, "Page 1, Timeline");
    await dates.getByLabel("Reply as Alice Meyer").fill("Thank you!\n<b>Bold</b>");
    await dates.getByRole("button", { name: "Reply" }).click();
    const reply = dates.locator(".comment", { hasText: "Thank you!" });
    await reply.getByText("<b>Bold</b>").waitFor();
    await reply.getByRole("button", { name: "Edit" }).click();
    await dates.getByLabel("Text of the comment").fill("Thank you both.");
    await dates.getByRole("button", { name: "Save" }).click();
    const edited = dates.locator(".comment", { hasText: "Thank you both." });
    await edited.waitFor();
    const last = (await thread("dates"))?.comments.at(-1);
    expect(last).toMatchObject({ from: { userId: alice.userId }, text: "Thank you both." });
    await edited.getByRole("button", { name: "Delete comment" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete comment" }).click();
    await edited.waitFor({ state: "detached" });
    expect((await thread("dates"))?.comments).toHaveLength(2);
  });

  test("starts a thread, above the resolved ones, which are folded", async () => {
    const { page } = await open(plan);
    await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "Plans" }).waitFor();
    const threads = page.getByLabel("Comment threads").locator("> li");
    const price = threads.last();
    await price.getByText("Carol Silva: The price is final: 49 a month. · 1 comment").waitFor();
    expect(await price.locator(".comment").isVisible()).toBe(false);
    await price.getByRole("button", { name: "Show" }).click();
    await price.locator(".comment").waitFor();
    await page.getByLabel("Write as").selectOption(bob.userId);
    await page.getByLabel("Place in the document").fill("Page 2, Price");
    await page.getByLabel("New comment as Bob Okoro").fill("@Carol, is it with taxes?");
    await page.getByText("Mentions Carol Silva").waitFor();
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await threads.first().getByText("@Carol, is it with taxes?").waitFor();
    await price.getByText("Page 2, Price").waitFor();
    const path = "/v2/organizations/documents/data/get";
    // The place that has the name is the one of the other thread.
    const where = { ...place, kind: "comments", location: { id: "page-2" } };
    const { items } = await post<{ items: Thread[] }>(path, where);
    const [{ annotationId, status, comments } = { annotationId: "", status: "", comments: [] }] = items;
    const comment = { text: "@Carol, is it with taxes?", taggedUsers: [{ userId: "carol" }] };
    const written = { from: { userId: bob.userId }, createdAt: expect.any(String), ...comment };
    expect([status, comments]).toMatchObject(["OPEN", [written]]);
    await threads.first().getByRole("button", { name: "Resolve" }).focus();
    await page.keyboard.press("Enter");
    // The thread keeps its place until the page is loaded again, so a second click does not hit the next thread.
    await threads.first().locator("button:focus", { hasText: "Reopen" }).waitFor();
    await threads.first().getByText("@Carol, is it with taxes?").waitFor();
    await page.reload();
    await threads.nth(1).getByText("Page 2, Price").waitFor();
    await post("/v2/commentannotations/update", { ...place, annotationIds: ["price"], update: { status: "RESOLVED" } });
    await post("/v2/organizations/documents/data/delete", { ...place, kind: "comments", ids: [annotationId] });
  });

  test("goes on with a reply in a thread that somebody else reopens and resolves again", async () => {
    const setStatus = (status: string) =>
      post("/v2/commentannotations/update", { ...place, annotationIds: ["price"], update: { status } });
    await setStatus("RESOLVED");
    const { page } = await open(plan, { hasClock: true });
    const price = threadIn(page, "Page 2, Price");
    await price.getByText("Resolved", { exact: true }).waitFor();
    await setStatus("OPEN");
    await page.clock.runFor(2_500);
    const field = price.getByLabel(/^Reply as/);
    await field.fill("I am still writing");
    await setStatus("RESOLVED");
    await page.clock.runFor(2_500);
    await price.getByText("Resolved", { exact: true }).waitFor();
    expect(await field.isVisible()).toBe(true);
    expect(await field.inputValue()).toBe("I am still writing");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
  });

  test("hears which thread a button shows or hides", async () => {
    await post("/v2/commentannotations/update", { ...place, annotationIds: ["price"], update: { status: "RESOLVED" } });
    const { page } = await open(plan);
    const of = "thread: Page 2, Price, Carol Silva: The price is final: 49 a month.";
    const show = page.getByRole("button", { name: `Show ${of}`, exact: true, expanded: false });
    const content = page.locator(`[id="${await show.getAttribute("aria-controls")}"]`);
    expect(await content.isVisible()).toBe(false);
    await show.click();
    await page.getByRole("button", { name: `Hide ${of}`, exact: true, expanded: true }).waitFor();
    expect(await content.isVisible()).toBe(true);
  });

  test("comments on the place that the list is filtered by, also if another one has its name", async () => {
    const charts = { organizationId, documentId: "charts" };
    await post("/v2/organizations/documents/add", { organizationId, documents: [{ documentId: "charts" }] });
    const add = (id: string) =>
      post("/v2/organizations/documents/data/add", {
        ...charts,
        location: { id, locationName: "Chart" },
        comments: [{ annotationId: id, from: alice, comments: [{ commentId: id, from: alice, text: `On ${id}.` }] }],
      });
    await add("chart-1");
    await add("chart-2");
    const textsAt = async (id: string) => {
      const where = { ...charts, kind: "comments", location: { id } };
      const { items } = await post<{ items: Thread[] }>("/v2/organizations/documents/data/get", where);
      return items.map(({ comments }) => comments[0]?.text).sort();
    };
    const { page } = await open(`/console/documents?org=${organizationId}&document=charts`);
    const field = page.getByLabel("Place in the document");
    const comment = async (text: string) => {
      await page.getByLabel(/^New comment as/).fill(text);
      await page.getByRole("button", { name: "Comment", exact: true }).click();
    };
    await page.getByRole("combobox", { name: "Place", exact: true }).selectOption("Chart (chart-2)");
    await threadIn(page, "On chart-1.").waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe("Chart (chart-2)");
    await comment("On the second.");
    await threadIn(page, "On the second.").waitFor();
    // The thread can appear before the reply, and one comment is sent at a time.
    await expect.poll(() => page.getByLabel(/^New comment as/).inputValue()).toBe("");
    expect(await textsAt("chart-2")).toEqual(["On chart-2.", "On the second."]);
    // The list has no thread of this place now.
    await field.fill("Chart (chart-1)");
    await comment("On the first.");
    await expect.poll(() => textsAt("chart-1")).toEqual(["On chart-1.", "On the first."]);
    await field.fill("Chart");
    await comment("On which?");
    await page.getByRole("alert").getByText("Several places have the name “Chart”.").waitFor();
  });

  test("sees who is on a document, and without a connection only those whose presence has not ended", async () => {
    const { page } = await open("/", { hasClock: true });
    const present = { updatedAt: new Date(Date.now() - 540_000).toISOString(), expiresAt: Date.now() / 1_000 + 600 };
    const users = [
      { ...alice, ...present },
      { ...bob, ...present, expiresAt: Date.now() / 1_000 - 60 },
    ];
    await page.route("**/v2/presence/get", (route) => route.fulfill({ json: { result: { data: { users } } } }));
    await goTo(page, plan);
    const shown = page.getByLabel("Present users").locator("li");
    await shown.getByText("last seen 9 min. ago").first().waitFor();
    // The API leaves out who has gone. The clock of this machine can be ahead.
    expect(await shown.count()).toBe(2);
    await page.route("**/v2/presence/get", (route) => route.abort());
    await page.clock.runFor(2_500);
    await shown.filter({ hasText: bob.name }).waitFor({ state: "detached" });
    expect(await shown.count()).toBe(1);
  });

  test("sees why somebody can edit a document, and why somebody else cannot", async () => {
    await post("/v2/users/add", { organizationId: "globex", users: [{ userId: "dora", name: "Dora" }] });
    const { page } = await open(plan);
    await page.getByRole("link", { name: "Who can see this" }).click();
    const list = page.getByLabel("Who can see it");
    const sentence = list.getByText(
      "Alice Meyer can edit Launch plan because of a grant on the folder Plans (editor).",
    );
    await sentence.waitFor();
    await list.getByText("Bob Okoro can view Launch plan because of a grant on the whole organization").waitFor();
    await page.getByRole("combobox", { name: "What", exact: true }).selectOption("folder contracts");
    await list.getByText("Alice Meyer cannot see Contracts: it is restricted").waitFor();
  });

  test("finds in an empty list how to add the first entry, and a line that sets the keys for it", async () => {
    await post("/v2/organizations/add", { organizations: [{ organizationId: "empty" }] });
    const { page } = await open("/console/people?org=empty&view=groups");
    await page.getByText("curl -s").waitFor();
    const line = await page.getByText(/^export API_KEY=/).textContent();
    const printed = execFileSync("bash", ["-c", `${line}\nprintenv API_KEY`], { encoding: "utf8" });
    expect(printed).toMatch(/^ws_[\w-]+\n$/);
  });

  test("finds a failing endpoint, reads its attempts, and sends a delivery to it again", async () => {
    const { page } = await open("/");
    await page.locator("figure", { hasText: "Refused calls (4xx)" }).getByText("in the last hour").waitFor();
    await page
      .locator("figure", { hasText: "Latency" })
      .getByText(/^in the minute of \d+:\d\d/)
      .waitFor();
    // They have not failed for good: the next attempt is due.
    const failing = page.getByLabel("Needs attention").locator("li", { hasText: "Deliveries being retried" });
    await failing.getByText(/failed so far and will be retried$/).waitFor();
    await failing.getByRole("link", { name: "See deliveries" }).click();
    await page.getByLabel("Deliveries").getByRole("link", { name: "comment.add" }).first().click();
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
    await page.getByRole("button", { name: "Enable" }).waitFor();
  });

  test("adds an endpoint, whose secret reaches the terminal only, and is told how to verify", async () => {
    const { page } = await open("/console/webhooks");
    await page.getByLabel("URL").fill("http://127.0.0.1:9/");
    await page.getByLabel("Description").fill("Nobody listens there");
    await page.getByText("All events are sent.").click();
    await page.getByLabel("document.add").check();
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("heading", { level: 1, name: "http://127.0.0.1:9/" }).waitFor();
    await page.getByRole("region", { name: "Endpoint" }).getByText("document.add").waitFor();
    await page.getByRole("button", { name: "Print the secret" }).click();
    await page.getByText("The secret is in the terminal of npm start.").waitFor();
    await page.getByText("How the receiver verifies a delivery").click();
    await page.getByText("verify(process.env.WEBHOOK_SECRET").waitFor();
    expect(await page.content()).not.toMatch(/whsec_/);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete endpoint" }).click();
    await page.getByText("Endpoint deleted.").waitFor();
  });

  test("creates a token, which reaches the terminal only, and revokes it after a question", async () => {
    const { page } = await open("/console/tokens");
    await page.getByLabel("Name").fill("Nightly export");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByText("The token is in the terminal of npm start.").waitFor();
    expect(await page.content()).not.toMatch(/at_[\w-]{20}/);
    const row = page.getByLabel("Auth tokens").locator("li", { hasText: "Nightly export" });
    await row.getByRole("button", { name: "Revoke Nightly export" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await row.count()).toBe(1);
    await row.getByRole("button", { name: "Revoke Nightly export" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Revoke demo", exact: true }).click();
    await page.getByRole("dialog").getByText("This console itself calls with the token demo.").waitFor();
    expect(await page.getByRole("button", { name: "Revoke the console's token" }).isDisabled()).toBe(true);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  });

  test("asks the memory, and opens the record that is cited", async () => {
    const { page } = await open("/console/memory");
    await page.getByLabel("Question").fill("When is the launch date, and why March?");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByLabel("Citations").getByRole("link", { name: "Open the record" }).first().click();
    await page.getByText("Decided by").waitFor();
  });

  test("is told that a search did not read the whole memory", async () => {
    const { page } = await open("/console/memory?view=search");
    await page.route("**/v2/memory/search", (route) =>
      route.fulfill({ json: { result: { status: "OK", message: "", data: { judgments: [], partial: true } } } }),
    );
    await page.getByLabel("Words").fill("launch");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("not all of it was searched").waitFor();
    await page.getByText("No judgment is about “launch”.").waitFor();
  });

  test("changes a setting of the workspace, and finds a wrong value refused where it stands", async () => {
    const { page } = await open("/console/settings");
    const email = page.getByRole("region", { name: "E-mail" });
    await email.getByText("On this machine nothing is sent").waitFor();
    const services = email.getByLabel("Service").locator("option");
    await services.filter({ hasText: /^SendGrid only/ }).waitFor({ state: "attached" });
    await email.getByLabel("Sender's name").fill("Acme Notes");
    await email.getByRole("button", { name: "Save" }).click();
    await page.getByText("E-mail: saved.").waitFor();
    await email.getByLabel("Sender's address").fill("no address");
    await email.getByRole("button", { name: "Save" }).click();
    const alert = email.getByRole("alert").getByText("Must be an email address, or empty.");
    await alert.waitFor();
    await page.waitForFunction(
      (element) => {
        const { top, bottom } = (element as Element).getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      },
      await alert.elementHandle(),
    );
    await email.getByText("Request").waitFor();
    await email.getByRole("button", { name: "Discard" }).click();
    const { emailServiceConfig } = await post<EmailConfig>("/v2/workspace/emailconfig/get", {});
    expect(emailServiceConfig).toMatchObject({ fromCompany: "Acme Notes", fromEmail: "" });
    await page.getByRole("link", { name: "Deployment" }).click();
    const settings = page.getByLabel("Settings of the deployment");
    await settings.locator("li", { hasText: "logRetentionDays" }).getByText("only on AWS").waitFor();
  });

  test("erases a user only after typing the id, and follows the job to its receipt", async () => {
    await post("/v2/users/add", { organizationId, users: [{ userId: "zoe", name: "Zoe", accessRole: "viewer" }] });
    const { page } = await open(`/console/people?org=${organizationId}&user=zoe`, { hasClock: true });
    await page.getByRole("button", { name: "Show the data" }).click();
    await page.getByRole("region", { name: "Data of the user" }).getByText('"zoe"').waitFor();
    await page.getByRole("button", { name: "Erase this user" }).click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Erase the user" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("To confirm, type").fill("zoe");
    await confirm.click();
    await page
      .getByRole("region", { name: "Erasure" })
      .getByText(/Waiting to start|Erasing/)
      .waitFor();
    // An erasure waits for the calls that began before it, which takes a minute.
    const done = { status: "completed", progress: { done: 3, total: 3 }, receipt: "a.signed.receipt" };
    await page.route("**/v2/jobs/status", (route) => route.fulfill({ json: { result: { data: done } } }));
    await page.clock.runFor(2_500);
    await page.getByText("Erased", { exact: true }).waitFor();
    await page.getByText("a.signed.receipt").waitFor();
  });

  test("with a keyboard only goes to a page, opens a document and resolves a comment", async () => {
    const { page } = await open("/");
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    // A screen reader then reads where it is.
    await page.locator("h1:focus", { hasText: "Documents" }).waitFor({ state: "attached" });
    await page.getByRole("link", { name: "Acme" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Launch plan" }).focus();
    await page.keyboard.press("Enter");
    const price = threadIn(page, "Page 2, Price");
    await price.getByRole("button", { name: "Reopen" }).focus();
    await page.keyboard.press("Enter");
    await price.getByText("Open", { exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("tok");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
    for (const [words, title, heading] of [
      ["launch", "Launch plan document of Acme", "Launch plan"],
      ["carol@", "Carol Silva user of Acme", "Carol Silva"],
      ["billing", "Billing, moved last week webhook endpoint", /^http:/],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).fill(words);
      await page.getByRole("option", { name: title, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("sees the reply of somebody else without a reload, and keeps focus and typed text", async () => {
    const { page } = await open(plan, { hasClock: true });
    await settled(page);
    const dates = threadIn(page, "Page 1, Timeline");
    const field = dates.getByLabel(/^Reply as/);
    await field.fill("I am still writing");
    const comments = [{ commentId: "live", from: bob, text: "A reply from elsewhere." }];
    await post("/v2/commentannotations/comments/add", { ...place, annotationId: "dates", comments, actionUser: bob });
    await page.clock.runFor(2_500);
    await dates.getByText("A reply from elsewhere.").waitFor();
    expect(await field.inputValue()).toBe("I am still writing");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
  });

  test("filters the activity log by names, verifies it in the browser, and is told when a record was changed", async () => {
    const activities = async () =>
      (await post<{ activities: object[] }>("/v2/activities/get", { organizationId })).activities.length;
    // The log has an event 15 to 20 seconds after its call.
    await expect.poll(activities, { timeout: 60_000, interval: 1_000 }).toBeGreaterThan(0);
    const { page } = await open(`/console/activity?org=${organizationId}`);
    const list = page.getByRole("list", { name: "Activities" });
    await page.locator(`option[value="${bob.name}"]`).waitFor({ state: "attached" });
    await list.locator("li", { hasText: "Alice Meyer" }).first().waitFor();
    await page.getByLabel("User", { exact: true }).fill("bob okoro");
    // None of Alice's is left.
    await list.locator("li", { hasText: "Alice Meyer" }).first().waitFor({ state: "detached" });
    await list.locator("li", { hasText: "Bob Okoro" }).first().waitFor();
    expect(new URL(page.url()).searchParams.get("user")).toBe("bob");
    await page.getByLabel("Document", { exact: true }).fill("Lunch plan");
    await page.keyboard.press("Enter");
    await page.getByText("No activity has the user “Bob Okoro” and the document “Lunch plan”.").waitFor();
    await page.getByText("There is no document with the name or id “Lunch plan”.").waitFor();
    await page.getByRole("button", { name: "Show all activities" }).click();
    await list.locator("li", { hasText: "Alice Meyer" }).first().waitFor();
    await page.getByRole("button", { name: "Verify the log" }).click();
    await page.getByText("from the first to the last: each is as it was written.").waitFor();
    await page.getByText("and its signature is genuine.").waitFor();
    await page.route("**/console/operations/activities?*", async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ body: (await reply.text()).replace('"organization.add"', '"organization.adx"') });
    });
    await page.getByRole("button", { name: "Verify again" }).click();
    await page.getByRole("alert").getByText("Record 1 is not the one that was written there").waitFor();
  });

  test("reads a message as it was sent, in a frame that runs nothing", async () => {
    const mails = async () => (await (await fetch(`${opened.url}/console/operations/mails`)).json()).mails.length;
    await expect.poll(mails, { timeout: 60_000 }).toBeGreaterThan(0);
    const { page } = await open("/console/messages", { hasClock: true });
    const row = page
      .getByRole("list", { name: "Messages" })
      .locator("li", { hasText: "assigned it to you on Launch plan" });
    await row.getByText("to Bob Okoro about Launch plan").waitFor();
    await row.getByRole("link", { name: /^Alice Meyer started a thread/ }).click();
    await page.frameLocator("iframe").getByText("can you check the dates?").waitFor();
    expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
    await page.getByLabel("Messages that were rendered").getByRole("button").first().waitFor();
    const read = new URL(page.url()).searchParams.get("mail");
    await page.route("**/console/operations/mails", async (route) => {
      const { mails } = await (await route.fetch()).json();
      const later = mails.filter(({ id }: { id: string }) => id !== read);
      await route.fulfill({ json: { mails: later } });
    });
    await page.clock.runFor(2_500);
    await page.getByText(/^This message is not among the last \d+\.$/).waitFor();
    await page.frameLocator("iframe").getByText("can you check the dates?").waitFor();
  });

  test("of a deployment, which keeps no texts, sees what a message is about, and turns a channel on", async () => {
    const { page } = await open("/");
    await page.route("**/console/session", async (route) => {
      const session = await (await route.fetch()).json();
      await route.fulfill({ json: { ...session, operations: { ...session.operations, mails: false } } });
    });
    await page.goto(`${opened.url}/console/messages`);
    await page.getByText("A deployment keeps no texts of messages.").waitFor();
    const row = page
      .getByRole("list", { name: "Messages" })
      .locator("li", { hasText: "to Bob Okoro about Launch plan" });
    await row.first().getByText("Comment added").waitFor();
    const slack = page.getByLabel("Channels").locator("li", { hasText: "The workspace has turned Slack off." });
    await slack.getByRole("link", { name: "Turn it on under Settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  });

  test("retries a failed job", async () => {
    const { page } = await open("/console/tokens");
    const job = { id: "job-1", kind: "fanout", state: "failed", dueAt: new Date().toISOString(), attempts: 20 };
    let jobs = [job];
    await page.route("**/console/operations/jobs?*", (route) => route.fulfill({ json: { jobs } }));
    await page.route("**/console/operations/jobs/retry", (route) => {
      jobs = [];
      expect(route.request().postDataJSON()).toEqual({ id: "job-1" });
      return route.fulfill({ json: { id: "job-1", retried: true } });
    });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("link", { name: "See and retry" }).click();
    await page.getByLabel("Jobs").getByRole("button", { name: "Retry" }).click();
    await page.getByText("No job has this state.").waitFor();
    await page.unroute("**/console/operations/jobs?*");
    await page.getByRole("link", { name: "Done", exact: true }).click();
    await page.getByLabel("Jobs").getByText("Fanout").first().waitFor();
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
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("bob");
    await page.getByText("Some lists could not be read, so not everything is searched.").waitFor();
    await page.keyboard.press("Escape");
    await page.unroute("**/v2/users/get");
    await alert.getByRole("button", { name: "Retry" }).click();
    await page.getByLabel("Users").getByText("Alice Meyer").waitFor();
    await alert.waitFor({ state: "detached" });
  });

  test("is told when the console's server is gone, and goes on when it is back", async () => {
    const { page } = await open("/console/documents");
    const menu = page.locator(".foot");
    await menu.getByText("Live").waitFor();
    await page.route("**/console/**", (route) => route.abort());
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("alert").getByText("No connection.").first().waitFor();
    await menu.getByText("No connection").waitFor();
    await page.unroute("**/console/**");
    // A server that was started again does not know the window.
    await page.route("**/console/session", async (route) => {
      const session = await (await route.fetch()).json();
      await route.fulfill({ json: { ...session, canChange: false } });
    });
    await page.getByRole("alert").getByRole("button", { name: "Retry" }).first().click();
    await page.getByLabel("Users").getByText("Alice Meyer").waitFor();
    await menu.getByText("Live").waitFor();
    await page.getByText("Read only.").waitFor();
  });

  test("chooses a theme, which stays after a reload", async () => {
    const { page } = await open("/");
    const background = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const light = await background();
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    expect(await background()).not.toBe(light);
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
    expect((await thread("dates"))?.status).toBe("OPEN");
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("Not shown in this window.").waitFor();
  });
});

interface Thread {
  annotationId: string;
  status: string;
  comments: { from: object; text: string }[];
}

interface EmailConfig {
  emailServiceConfig: object;
}
