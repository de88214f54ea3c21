import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localMails } from "../../../../../infra/console/server/operations/mails.ts";
import { outboxIn } from "../../../../../infra/local/outbox-files.ts";
import { temporaryFolder } from "../../../../support/local/start.ts";

const eml = [
  "From: Acme Notes <updates@collaboration.example>",
  "To: Ana <ana@example.com>",
  "Subject: =?UTF-8?Q?H=C3=A9llo_there?=",
  'Content-Type: multipart/alternative; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain",
  "",
  "Hello",
  "--b",
  "Content-Type: text/html; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<p>H=C3=A9llo</p>",
  "--b--",
  "",
].join("\r\n");

test("a server that has sent nothing has no mails", async () => {
  const mails = localMails(join(temporaryFolder(), "mail"));
  expect(await mails.list()).toEqual([]);
  expect(await mails.html("2026-01-01T00-00-00.000Z-0001")).toBeUndefined();
});

test("the files of the local senders are listed, the latest first, and shown as they were rendered", async () => {
  const folder = join(temporaryFolder(), "mail");
  const outbox = outboxIn(folder);
  outbox.write({ to: "ana@example.com", subject: "Héllo there", extension: "eml", content: eml });
  const sendGrid = {
    from: { email: "updates@collaboration.example" },
    personalizations: [{ to: [{ email: "bo@example.com" }] }],
    subject: "Hi",
    content: [{ type: "text/html", value: "<p>Hi</p>" }],
  };
  outbox.write({ to: "bo@example.com", subject: "Hi", extension: "sendgrid.json", content: JSON.stringify(sendGrid) });
  const slack = { channel: "U1", text: "A <b> & c" };
  outbox.write({ to: "cy@example.com", subject: slack.text, extension: "slack.json", content: JSON.stringify(slack) });
  writeFileSync(join(folder, "notes.txt"), "not a message");

  const mails = localMails(folder);
  const [third, second, first, ...more] = await mails.list();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ channel: "email", to: "ana@example.com", subject: "Héllo there" });
  expect(second).toMatchObject({ channel: "email", to: "bo@example.com", subject: "Hi" });
  expect(third).toMatchObject({ channel: "slack", to: "cy@example.com", subject: "A <b> & c" });
  const from = "updates@collaboration.example";
  expect([first?.from, second?.from, third?.from]).toEqual([`Acme Notes <${from}>`, from, undefined]);
  expect(new Date(first?.at ?? "").toISOString()).toBe(first?.at);
  expect((await mails.html(first?.id ?? ""))?.trim()).toBe("<p>Héllo</p>");
  expect(await mails.html(second?.id ?? "")).toBe("<p>Hi</p>");
  expect(await mails.html(third?.id ?? "")).toContain("A &lt;b&gt; &amp; c");
});

test("a file that has gone, or that is no message, hides no other", async () => {
  const folder = join(temporaryFolder(), "mail");
  const outbox = outboxIn(folder);
  outbox.write({ to: "ana@example.com", subject: "Héllo there", extension: "eml", content: eml });
  for (const content of ["{", "null", '{"personalizations":[{"to":"x"}]}', '{"channel":1,"content":[null]}']) {
    for (const extension of ["sendgrid.json", "slack.json"])
      outbox.write({ to: "bo@example.com", subject: "Hi", extension, content });
  }
  symlinkSync(join(folder, "gone"), join(folder, "2026-01-01T00-00-00.000Z-0001_x_y.eml"));

  const mails = localMails(folder);
  const listed = await mails.list();
  expect(listed).toHaveLength(9);
  expect(listed.at(-1)).toMatchObject({ to: "ana@example.com", subject: "Héllo there" });
  expect(listed[0]).toMatchObject({ channel: "slack", to: "bo@example.com", subject: "Hi" });
  for (const { id } of listed) expect(await mails.html(id)).toEqual(expect.any(String));
  expect(await mails.html("2026-01-01T00-00-00.000Z-0001")).toBeUndefined();
});

test("a file is read once, as long as it is there", async () => {
  const folder = join(temporaryFolder(), "mail");
  const paths: string[] = [];
  const outbox = outboxIn(folder, (path) => void paths.push(path));
  const write = (to: string) =>
    outbox.write({
      to,
      subject: "Hi",
      extension: "slack.json",
      content: JSON.stringify({ channel: "U1", text: "Hi" }),
    });
  const mails = localMails(folder);
  write("ana@example.com");
  await mails.list();
  const [first = ""] = paths;
  writeFileSync(first, JSON.stringify({ channel: "U1", text: "Changed" }));
  write("bo@example.com");
  expect((await mails.list()).map(({ to, subject }) => [to, subject])).toEqual([
    ["bo@example.com", "Hi"],
    ["ana@example.com", "Hi"],
  ]);
  rmSync(first);
  expect(await mails.list()).toHaveLength(1);
});

test("an id is no path", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "mail"));
  writeFileSync(join(folder, "demo.json"), "{}");
  for (const id of ["../demo", "notes", ""]) expect(await localMails(join(folder, "mail")).html(id)).toBeUndefined();
});
