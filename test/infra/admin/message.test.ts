// The golden files in test/golden/messages are for people: open the .html in a browser and the .eml in a mail program.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { expect, it, onTestFinished } from "vitest";
import { writers } from "../../../infra/admin/message.ts";
import { messageCases } from "../../../infra/admin/message-cases.ts";
import type { MessageContent } from "../../../lib/messages/message-content.ts";
import { errorLine, run } from "../../support/admin.ts";
import { root } from "../../support/sources.ts";

const cases = Object.entries(messageCases);
const files = Object.entries(writers).flatMap(([channel, byEnding]) =>
  Object.entries(byEnding).map(([ending, write]) => ({
    suffix: ending === ".json" ? (channel === "slack" ? ".slack.json" : ".template.json") : ending,
    write: write as (message: MessageContent) => Promise<string | Buffer>,
  })),
);

it.each(cases)("the case %s looks like its golden files", async (name, message) => {
  for (const { suffix, write } of files) {
    const text = (await write(message)).toString();
    await expect(text).toMatchFileSnapshot(`../../golden/messages/${name}${suffix}`);
  }
});

it("there are no other golden files", async () => {
  const expected = cases.flatMap(([name]) => files.map(({ suffix }) => `${name}${suffix}`));
  expect((await readdir(join(root, "test/golden/messages"))).sort()).toEqual(expected.sort());
});

it("the preview prints a message without keys and without a server", async () => {
  const { status, stdout, stderr } = await run(["message", "preview"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^Subject: Alice Meyer mentioned you on Launch plan\n\nLaunch plan\n/);
  const slack = await run(["message", "preview", "--event", "comment_annotation.assign", "--channel", "slack"]);
  expect(JSON.parse(slack.stdout).text).toBe("Alice Meyer assigned a thread to Carol on Launch plan");
});

it("the preview writes a file that a mail program opens", async () => {
  const dir = await mkdtemp(join(tmpdir(), "message-preview-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, "mail.eml");
  const { status, stdout } = await run(["message", "preview", "--case", "several", "--out", file]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: `The message is in ${file}.\n` });
  const mail = await PostalMime.parse(await readFile(file));
  expect(mail.subject).toBe("7 updates on Launch plan");
  expect(mail.html).toContain("<strong");
});

it("a wrong name is refused with what is possible", async () => {
  expect(await errorLine(["message", "preview", "--case", "none"])).toContain("mention, assignment, several");
  expect(await errorLine(["message", "preview", "--event", "user.add"])).toContain("comment.add");
  expect(await errorLine(["message", "preview", "--out", "mail.pdf"])).toContain(".eml or .html or .txt or .json");
  const slack = ["message", "preview", "--channel", "slack", "--out", "mail.eml"];
  expect(await errorLine(slack)).toBe("The file's name must end with .json.\n");
});
