import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { outboxIn } from "../../../infra/local/outbox-files.ts";
import { startSes } from "../../../infra/local/ses.ts";
import { temporaryFolder } from "../../support/local/start.ts";

const from = "updates@example.com";

async function sesIn(folder: string) {
  const paths: string[] = [];
  const outbox = outboxIn(join(folder, "mail"), (path) => void paths.push(path));
  const ses = await startSes({ identities: [from], configurationSets: [], outbox });
  onTestFinished(ses.close);
  const send = async (
    more: object,
    text = `From: ${from}\r\nSubject: A/b: ../c\r\nMessage-ID: <own@x>\r\n\r\nText`,
  ) => {
    const Content = { Raw: { Data: Buffer.from(text).toString("base64") } };
    const body = JSON.stringify({
      FromEmailAddress: from,
      Destination: { ToAddresses: ["bob@example.org"] },
      Content,
      ...more,
    });
    const reply = await fetch(`${ses.endpoint}/v2/email/outbound-emails`, { method: "POST", body });
    return reply.headers.get("x-amzn-errortype");
  };
  return { send, paths };
}

test("each mail is a file whose name sorts by time and says the recipient and the subject", async () => {
  const folder = temporaryFolder();
  const { send, paths } = await sesIn(folder);
  for (let count = 0; count < 3; count++) expect(await send({})).toBeNull();
  const names = readdirSync(join(folder, "mail")).sort();
  expect(paths).toEqual(names.map((name) => join(folder, "mail", name)));
  for (const name of names) expect(name).toMatch(/^\d{4}-\d\d-\d\dT[\d.-]+Z-\d{4}_bob@example\.org_A-b-\.\.-c\.eml$/);
  // SES sets its own id.
  expect(readFileSync(paths[0] as string, "utf8")).toMatch(/^Message-ID: <[\w-]+@email\.amazonses\.com>\r$/m);
});

test.each(["長", "\u{20000}", "e\u0301"])("a file's name has room for a subject of many %s", async (letter) => {
  const { send, paths } = await sesIn(temporaryFolder());
  const to = `${"b".repeat(60)}@${"例".repeat(20)}.example`;
  const mail = (subject: string) => `From: ${from}\r\nSubject: ${subject}\r\n\r\nText`;
  expect(await send({}, mail(letter.repeat(200)))).toBeNull();
  outboxIn(join(paths[0] as string, "../..")).write({
    to,
    subject: letter.repeat(200),
    extension: "sendgrid.json",
    content: "",
  });
  expect(paths[0]).toMatch(new RegExp(`_bob@example\\.org_(?:${letter}){20,}\\.eml$`, "u"));
});

test("the file has the sender's own id of the message, but not the other tags, which have the key", async () => {
  const { send, paths } = await sesIn(temporaryFolder());
  const EmailTags = Object.entries({ workspace: "ws_key", message: "mes_1" }).map(([Name, Value]) => ({ Name, Value }));
  expect(await send({ EmailTags })).toBeNull();
  const text = readFileSync(paths[0] as string, "utf8");
  expect(text).toMatch(/^X-SES-MESSAGE-TAGS: message=mes_1\r\nFrom: /);
  expect(text).not.toContain("ws_key");
});

test.each([
  ["another sender", { FromEmailAddress: "a@other.example" }, "MessageRejected"],
  ["no recipient", { Destination: {} }, "BadRequestException"],
  ["a bad recipient", { Destination: { ToAddresses: ["bob"] } }, "BadRequestException"],
  ["an unknown configuration set", { ConfigurationSetName: "x" }, "NotFoundException"],
  ["a bad tag", { EmailTags: [{ Name: "a b", Value: "c" }] }, "BadRequestException"],
  ["a body that is no base64", { Content: { Raw: { Data: "%" } } }, "BadRequestException"],
])("SES refuses %s, and no file is written", async (_, more, error) => {
  const { send, paths } = await sesIn(temporaryFolder());
  expect(await send(more)).toBe(error);
  expect(paths).toEqual([]);
});

test("SES refuses another sender in the message's own header, and a line that is too long", async () => {
  const { send } = await sesIn(temporaryFolder());
  expect(await send({}, "From: a@other.example\r\n\r\nText")).toBe("MessageRejected");
  expect(await send({}, `From: ${from}\r\n\r\n${"a".repeat(999)}`)).toBe("BadRequestException");
});
