// A user who writes in the demo's page, in a browser window of its own: opens it, loses it, and opens it again.
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import type { Random } from "../random.ts";
import { type Replied, tellReplies } from "./replies.ts";
import type { Told } from "./told.ts";

/** What both newcomers share. */
export interface Trial {
  browser: Browser;
  url: string;
  comments: Told;
  words: Told;
  /** The changes of the text that the service has taken. */
  updates: Buffer[];
  /** Writes down what has happened. */
  note(what: string): void;
}

/** With these, a call fails for good. */
const refusals = [400, 403, 404, 409];

export class Newcomer {
  readonly userId: string;
  readonly random: Random;
  readonly trial: Trial;
  page!: Page;
  #context!: BrowserContext;
  #session!: CDPSession;
  /** What this page has sent, until it is stored. */
  readonly #sent = new Map<string, Told>();

  constructor(userId: string, random: Random, trial: Trial) {
    this.userId = userId;
    this.random = random;
    this.trial = trial;
  }

  get editor() {
    return this.page.getByRole("textbox", { name: "Text of the document" });
  }

  note(what: string): void {
    this.trial.note(`${this.userId} ${what}`);
  }

  /** Opens the page in a new window, until it can be used. */
  async open(): Promise<void> {
    this.#context = await this.trial.browser.newContext({ viewport: { width: 700, height: 700 } });
    this.#context.setDefaultTimeout(10_000);
    await this.#context.exposeFunction("tellReply", (replied: Replied) => this.#replied(replied));
    await this.#context.addInitScript(tellReplies);
    this.page = await this.#context.newPage();
    this.#session = await this.#context.newCDPSession(this.page);
    await this.#load(() => this.page.goto(`${this.trial.url}/demo?user=${this.userId}`));
  }

  async reload(): Promise<void> {
    this.#ended();
    await this.#load(() => this.page.reload());
  }

  /** A user presses "Reload" until the service is there. */
  async #load(work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await work();
        return await this.page.locator('[contenteditable="true"]').waitFor({ timeout: 60_000 });
      } catch {
        this.note("cannot open the page yet");
        await this.page.waitForTimeout(1_000);
      }
    }
  }

  async close(): Promise<void> {
    this.#ended();
    await this.page.close();
    await this.#context.close();
  }

  /** The process of the page ends without a word. */
  async crash(): Promise<void> {
    this.#ended();
    const crashed = this.page.waitForEvent("crash");
    void this.#session.send("Page.crash").catch(() => undefined);
    await crashed;
    await this.#context.close();
  }

  offline(isOffline: boolean): Promise<void> {
    return this.#context.setOffline(isOffline);
  }

  /** A headless browser shows all its pages. */
  async hide(isHidden: boolean): Promise<void> {
    await this.page.evaluate(
      (state) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
        document.dispatchEvent(new Event("visibilitychange"));
      },
      isHidden ? "hidden" : "visible",
    );
  }

  /** A machine that sleeps: nothing of the page runs. */
  async freeze(isFrozen: boolean): Promise<void> {
    await this.#session.send("Page.setWebLifecycleState", { state: isFrozen ? "frozen" : "active" });
  }

  /** Another tab of the user, which closes again. */
  async openAnother(ms: number): Promise<void> {
    const other = await this.#context.newPage();
    await other.goto(this.page.url()).catch(() => undefined);
    await other.waitForTimeout(ms);
    await other.close();
  }

  /** Does what sends a text, which must then be stored unless the page ends. */
  async sends(told: Told, what: string, work: (text: string) => Promise<unknown>): Promise<void> {
    const text = told.new();
    this.#sent.set(text, told);
    this.note(`${what} ${text}`);
    await work(text).catch((thrown) => {
      told.unsure(text);
      throw thrown;
    });
  }

  async removes(told: Told, text: string, work: () => Promise<unknown>): Promise<void> {
    this.note(`removes ${text}`);
    told.removed(text);
    this.#sent.set(text, told);
    await work().catch((thrown) => {
      told.unsure(text);
      throw thrown;
    });
  }

  /** What it had not stored can be lost. */
  #ended(): void {
    for (const [text, told] of this.#sent) told.unsure(text);
    this.#sent.clear();
  }

  #replied({ path, body, status, reply }: Replied): void {
    const { comments, words, updates } = this.trial;
    if (!path.startsWith("/v2/")) return;
    const isEditor = path === "/v2/crdt/update";
    const told = isEditor ? words : comments;
    const update = Buffer.from(isEditor ? JSON.parse(body).data.update : "", "base64");
    // The texts are in an update as they are.
    const texts = told.in(isEditor ? update.toString() : body);
    const isStored = status === 200 && !reply.includes('"success":false');
    if (isEditor && isStored) updates.push(update);
    for (const text of texts) {
      if (isStored) {
        told.stored(text);
        if (told.fateOf(text) === "stored") this.#sent.delete(text);
      } else if (status === 200 || refusals.includes(status)) {
        this.note(`is refused ${text}`);
        told.unsure(text);
      }
    }
  }

  /** The paragraphs of the text, without the cursors of others. */
  paragraphs(): Promise<string[]> {
    return this.page.evaluate(() => {
      const shown = document.querySelector("#editor > [contenteditable]")?.cloneNode(true) as Element;
      for (const each of shown.querySelectorAll(".collaboration-carets__caret")) each.remove();
      return [...shown.children].map(({ textContent }) => textContent ?? "");
    });
  }

  /** The texts of each thread, and whether it is resolved. */
  threads(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll("#threads article")].map((thread) => {
        const texts = [...thread.querySelectorAll("p > span, :scope > .soft")];
        return texts.map(({ textContent }) => textContent?.trim()).join("|");
      }),
    );
  }

  /** The names at the cursors of others. */
  cursors(): Promise<string[]> {
    return this.page.locator(".collaboration-carets__label").allTextContents();
  }

  people(): Promise<string[]> {
    return this.page.locator("#people li").allTextContents();
  }
}
