// What a newcomer does in the demo, and what happens to the page.
import type { Locator } from "playwright-core";
import type { Newcomer } from "./newcomer.ts";

type Step = (by: Newcomer) => Promise<unknown>;

/** Changes the text. What it removes need not be sent. */
const removing =
  (work: Step): Step =>
  async (by) => {
    const { words } = by.trial;
    const before = words.in((await by.paragraphs()).join(" "));
    await work(by);
    const after = new Set(words.in((await by.paragraphs()).join(" ")));
    for (const each of before) if (!after.has(each)) words.unsure(each);
  };

const pressing =
  (...keys: string[]): Step =>
  async ({ page, random, editor }) => {
    await editor.focus();
    for (let count = 1 + random.below(4); count > 0; count--) await page.keyboard.press(random.from(keys));
  };

/** At the end of a line, so that no word has another within it. */
const atEnd =
  (work: Step): Step =>
  async (by) => {
    await by.editor.focus();
    await by.page.keyboard.press("End");
    await work(by);
  };

/** One of these that the page shows now. */
async function one({ random }: Newcomer, all: Locator): Promise<Locator | undefined> {
  const count = await all.count();
  return count === 0 ? undefined : all.nth(random.below(count));
}

const submitting =
  (what: string, find: Step): Step =>
  async (by) => {
    const field = (await find(by)) as Locator | undefined;
    if (!field) return;
    await by.sends(by.trial.comments, what, async (text) => {
      await field.fill(text);
      await field.press("Enter");
    });
  };

const clicking =
  (name: string): Step =>
  async (by) =>
    (await one(by, by.page.getByRole("button", { name, exact: true })))?.click();

/** A state of the page for some seconds. */
const during =
  (what: string, secondsMax: number, change: (by: Newcomer, isSo: boolean) => Promise<void>): Step =>
  async (by) => {
    const seconds = 1 + by.random.below(secondsMax);
    by.note(`${what} for ${seconds} s`);
    await change(by, true);
    // While it is offline or hidden, its user can still write.
    if (what !== "sleeps") await write(by);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    await change(by, false);
  };

const writing: readonly [number, Step][] = [
  [8, atEnd((by) => by.sends(by.trial.words, "types", (word) => by.page.keyboard.insertText(` ${word}`)))],
  [
    3,
    atEnd(({ page, random }) =>
      page.keyboard.type(random.from([" and so on", " the launch", " é ß 漢字 👍🏽"]), { delay: 40 }),
    ),
  ],
  [1, atEnd(({ page }) => page.keyboard.press("Enter"))],
  [5, pressing("ArrowUp", "ArrowDown", "Home", "End", "ArrowLeft", "ArrowRight")],
  [2, removing(pressing("Backspace", "Backspace", "Control+Backspace"))],
  [1, removing(pressing("Control+z"))],
  [3, submitting("comments", async ({ page }) => page.getByLabel("New comment"))],
  [3, submitting("replies", (by) => one(by, by.page.getByLabel("Reply")))],
  [
    1,
    async (by) => {
      const { comments } = by.trial;
      const remove = await one(by, by.page.getByRole("button", { name: /^Delete: «/ }));
      const [text] = comments.in((await remove?.getAttribute("aria-label")) ?? "");
      if (remove && text) await by.removes(comments, text, () => remove.click());
    },
  ],
  [1, clicking("Resolve")],
  [1, clicking("Open again")],
  [1, clicking("Mark as read")],
];

const troubles: readonly [number, Step][] = [
  [2, (by) => by.reload()],
  [1, (by) => by.close().then(() => by.open())],
  [1, (by) => by.crash().then(() => by.open())],
  [3, during("is offline", 20, (by, isOffline) => by.offline(isOffline))],
  [2, during("is hidden", 80, (by, isHidden) => by.hide(isHidden))],
  [2, during("sleeps", 50, (by, isAsleep) => by.freeze(isAsleep))],
  [2, (by) => by.openAnother(by.random.below(10_000))],
];

const write: Step = (by) => by.random.weighted(writing)(by);

/** One step, and a pause. A step can come too late: the page shows something else then. */
export async function step(by: Newcomer): Promise<void> {
  const work = by.random.chance(0.04) ? by.random.weighted(troubles) : write;
  await work(by).catch((thrown) => by.note(`could not: ${String(thrown).split("\n")[0]}`));
  await by.page.waitForTimeout(by.random.below(1_000));
}
