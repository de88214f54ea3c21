import { describe, expect, test } from "vitest";
import { UserError } from "../../../../infra/admin/command.ts";
import { mask } from "../../../../infra/console/server/mask.ts";
import type { Operations } from "../../../../infra/console/server/operations.ts";
import { ApiError } from "../../../../lib/errors.ts";
import { consoleOf, keys } from "../../../support/console/site.ts";

const withOperations = (operations: Operations) => consoleOf({ api: "http://127.0.0.1:9", operations });

test("a part that this process cannot know is NOT_FOUND, and the session says so", async () => {
  const { get } = await withOperations({ settings: async () => [] });
  const { operations } = (await (await get("/console/session")).json()) as { operations: object };
  expect(operations).toEqual({ jobs: false, settings: true, mails: false });
  for (const path of ["operations/jobs", "mail/a.html", "operations/nothing"]) {
    const reply = await get(`/console/${path}`);
    expect(reply.status, path).toBe(404);
    expect(await reply.json()).toMatchObject({ error: { status: "NOT_FOUND", message: expect.any(String) } });
  }
});

describe("jobs", () => {
  const operations = (retried: string[]): Operations => ({
    jobs: {
      place: "--data '/folder'",
      list: async (state) => [
        { id: "j1", kind: "purge", does: "Deletes data", state: state ?? "waiting", dueAt: "x", attempts: 1 },
      ],
      async retry(id) {
        if (id !== "j1") throw new ApiError("NOT_FOUND", "There is no such job.");
        retried.push(id);
      },
    },
  });
  const retry = (url: string, headers: Record<string, string>, body: string, type = "application/json") =>
    fetch(`${url}/console/operations/jobs/retry`, {
      method: "POST",
      headers: { ...headers, "content-type": type },
      body,
    });

  test("are listed by state", async () => {
    const { get } = await withOperations(operations([]));
    expect(await (await get("/console/operations/jobs?state=failed")).json()).toMatchObject({
      jobs: [{ state: "failed" }],
      place: "--data '/folder'",
    });
    expect((await get("/console/operations/jobs?state=done")).status).toBe(400);
  });

  test("are retried by JSON with the cookie and the key only", async () => {
    const retried: string[] = [];
    const { url, cookie, key } = await withOperations(operations(retried));
    const own = { cookie, ...key };
    const body = '{"id":"j1"}';
    expect((await retry(url, {}, body)).status).toBe(403);
    expect((await retry(url, { cookie }, body)).status).toBe(403);
    expect((await retry(url, key, body)).status).toBe(403);
    expect((await retry(url, own, body, "text/plain")).status).toBe(400);
    expect((await retry(url, own, "null")).status).toBe(400);
    expect((await retry(url, own, '{"id":"other"}')).status).toBe(404);
    expect(retried).toEqual([]);
    expect(await (await retry(url, own, body)).json()).toEqual({ id: "j1", retried: true });
    expect(retried).toEqual(["j1"]);
  });
});

test("what the operator can correct is a message, and a fault is not shown", async () => {
  const aws = Object.assign(new Error("no credentials"), { name: "ExpiredToken", $metadata: {} });
  const thrown: unknown[] = [new UserError("The stack s cannot be read."), aws, new Error("secret detail")];
  const { get, errors } = await withOperations({ settings: async () => Promise.reject(thrown.shift()) });
  const messages = [];
  for (let times = 0; times < 3; times++) {
    const body = await (await get("/console/operations/settings")).json();
    messages.push((body as { error: { message: string } }).error.message);
  }
  expect(messages).toEqual([
    "The stack s cannot be read.",
    "AWS: ExpiredToken: no credentials. The AWS credentials are wrong or have expired: log in again.",
    "The console has failed. Its terminal says more.",
  ]);
  expect(errors).toHaveLength(1);
});

test("a mail is shown without scripts, without the key of the workspace, and in a frame of the console only", async () => {
  const html = `<script>alert(1)</script><a href="https://x.example/${keys.apiKey}">whsec_12345678</a>`;
  const { get } = await withOperations({
    mails: { list: async () => [], html: async (id) => (id === "a.1" ? html : undefined) },
  });
  const reply = await get("/console/mail/a.1.html");
  expect(reply.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none';/);
  expect(await reply.text()).toBe(`<script>alert(1)</script><a href="https://x.example/${mask}">${mask}</a>`);
  const none = await get("/console/mail/b.html");
  expect([none.status, await none.text()]).toEqual([404, "There is no such message."]);
  expect(none.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none';/);
  expect((await get("/console/mail/..%2f..%2fdemo.html")).status).toBe(404);
});
