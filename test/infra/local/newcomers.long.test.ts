// Two users write one document in two browsers, as people who try the demo do. The engines are hard, and the server is
// killed again and again. In the end, both pages and the service have the same text and the same comments.
// NEWCOMER_SECONDS: how long they write.
import { chromium } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import * as Y from "yjs";
import { documentId, organizationId, type Post, posterTo } from "../../../infra/local/example-data.ts";
import { lacksBrowser } from "../../support/browser.ts";
import { browserArguments, executablePath } from "../../support/chromium.ts";
import { freePort } from "../../support/free-port.ts";
import { run, stopped, whenReady } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";
import { longSeed, seedFrom } from "../../support/long.ts";
import { Newcomer, type Trial } from "../../support/newcomers/newcomer.ts";
import { step } from "../../support/newcomers/steps.ts";
import { Told } from "../../support/newcomers/told.ts";
import { Random } from "../../support/random.ts";

const seconds = Number(process.env.NEWCOMER_SECONDS ?? 600);
/** How long the server runs before it is killed, and how long it is away, at most. */
const [runsMs, awayMs] = [60_000, 8_000];
/** After a crash: until others hear nothing of the cursor any more; the presence, 180 s and until others read it again. */
const [leftMs, goneMs] = [60_000, 300_000];
const place = { organizationId, documentId };

interface Page {
  items: { comments: { text: string }[]; status: string }[];
  nextPageToken: string | null;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The server on one port and one folder. `kill` loses whatever it has not stored. */
async function killable() {
  const hard = ["--hard", "--seed", String(seedFrom(1) % 1_000_000)];
  const args = ["--port", String(await freePort()), "--data", temporaryFolder(), "--json", "--example", ...hard];
  let server = await whenReady(run(args));
  return {
    ready: server.ready,
    kill: () => stopped(server, "SIGKILL"),
    async again() {
      server = await whenReady(run(args));
    },
  };
}

/** The paragraphs that a Yjs text has. */
function paragraphsIn(update: Uint8Array): string[] {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  const textOf = (node: unknown): string =>
    node instanceof Y.XmlText
      ? (node.toDelta() as { insert: string }[]).map(({ insert }) => insert).join("")
      : (node as Y.XmlFragment).toArray().map(textOf).join("");
  return doc
    .getXmlFragment("default")
    .toArray()
    .map((each) => textOf(each));
}

/** As the page shows them. */
async function threadsOf(post: Post): Promise<string[]> {
  const threads: string[] = [];
  for (let pageToken: string | null | undefined; pageToken !== null; ) {
    const data = { ...place, kind: "comments", order: "oldest", pageSize: 100, ...(pageToken && { pageToken }) };
    const page = await post<Page>("/v2/organizations/documents/data/get", data);
    for (const { comments, status } of page.items)
      threads.push([...comments.map(({ text }) => text), status === "RESOLVED" ? "Resolved" : ""].join("|"));
    pageToken = page.nextPageToken;
  }
  return threads;
}

/** A note without what differs each time. */
const kindOf = (note: string) =>
  note
    .replace(/^[\d.]+ s (?:alice|bob)? ?/, "")
    .replaceAll(/[«‹]\d+[»›]|\d+ s/g, "")
    .trim();

describe.skipIf(lacksBrowser())("two newcomers", () => {
  test(`write one document for ${seconds} s, and lose nothing (seed ${longSeed})`, {
    timeout: (seconds + 900) * 1_000,
  }, async () => {
    const random = new Random(`${longSeed} server`);
    const notes: string[] = [];
    const startedAt = Date.now();
    const note = (what: string) => void notes.push(`${((Date.now() - startedAt) / 1_000).toFixed(1)} s ${what}`);
    onTestFinished(({ task }) => {
      const counts = [...Map.groupBy(notes, kindOf)].map(([kind, { length }]) => `${length} × ${kind}`);
      const shown = task.result?.state === "pass" ? [] : notes;
      process.stdout.write(`${[...shown, ...counts].join("\n")}\n`);
    });
    const server = await killable();
    const browser = await chromium.launch({ executablePath: executablePath ?? "", args: browserArguments });
    onTestFinished(() => browser.close());
    const [comments, words] = [new Told("«»"), new Told("‹›")];
    const trial: Trial = { browser, url: server.ready.url, comments, words, updates: [], note };
    const [alice, bob] = ["alice", "bob"].map((id) => new Newcomer(id, new Random(`${longSeed} ${id}`), trial)) as [
      Newcomer,
      Newcomer,
    ];
    await Promise.all([alice.open(), bob.open()]);
    const endAt = Date.now() + seconds * 1_000;
    const left = () => Math.max(0, endAt - Date.now());
    const writing = async (by: Newcomer) => {
      while (left() > 0) await step(by);
    };
    const killing = async () => {
      for (;;) {
        await sleep(Math.min(left(), runsMs / 2 + random.below(runsMs / 2)));
        if (left() === 0) return;
        note("the server is killed");
        await server.kill();
        await sleep(random.below(awayMs));
        await server.again();
      }
    };
    await Promise.all([killing(), writing(alice), writing(bob)]);
    note("all is quiet");

    const post = posterTo(server.ready);
    const stored = async () => {
      const { update } = await post<{ update: string }>("/v2/crdt/get", { ...place, editorId: "body" });
      return Buffer.from(update, "base64");
    };
    const held = async () => ({ paragraphs: paragraphsIn(await stored()), threads: await threadsOf(post) });
    const shownBy = async (by: Newcomer) => ({ paragraphs: await by.paragraphs(), threads: await by.threads() });
    const all = () => Promise.all([held(), shownBy(alice), shownBy(bob)]);
    await expect
      .poll(async () => new Set((await all()).map((each) => JSON.stringify(each))).size)
      .toBe(1)
      .catch(async () => {
        const [first, ...others] = await all();
        for (const each of others) expect(each).toEqual(first);
      });
    const { paragraphs, threads } = await held();
    note("all pages show what is stored");
    expect(words.unsent(paragraphs.join("\n"))).toEqual([]);
    // When a page joins two paragraphs, the editor's binding deletes the second one, with what the other page types in it
    // meanwhile. So a word that was stored can be missing. But no change that the service took can be missing.
    expect(paragraphsIn(Y.mergeUpdates([await stored(), ...trial.updates]))).toEqual(paragraphs);
    expect(comments.wrong(threads.join("\n"))).toEqual([]);
    for (const [by, other] of [
      [alice, "Bob Okoro"],
      [bob, "Alice Meyer"],
    ] as const) {
      // Who has not written since the page was opened has no cursor.
      await by.editor.focus();
      await expect.poll(() => by.people()).toEqual(["Alice Meyer", "Bob Okoro"]);
      expect((await by.cursors()).filter((each) => each !== other)).toEqual([]);
    }
    await bob.crash();
    await expect.poll(() => alice.cursors(), { timeout: leftMs }).toEqual([]);
    await expect.poll(() => alice.people(), { timeout: goneMs }).toEqual(["Alice Meyer"]);
    note("nobody sees a page that is closed");
    note(`found comments: ${comments.count("stored")} that the service took, words: ${words.count("stored")}`);
  });
});
