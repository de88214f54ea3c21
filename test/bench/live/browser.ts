// Two pages of the demo in Chromium: how soon one shows what is typed and written in the other.
import { chromium, type Page } from "playwright-core";
import { browserArguments, executablePath } from "../../support/chromium.ts";
import { after, spread } from "./times.ts";

const now = "performance.timeOrigin + performance.now()";
/** The number of typed x in the editor, and of threads. */
const counts = `({ x: document.querySelector("#editor").textContent.split("x").length, comments: document.querySelectorAll("#threads article").length })`;

async function opened(url: string, user: string, page: Page): Promise<Page> {
  await page.goto(`${url}/demo?user=${user}`);
  await page.getByText("All is up to date").waitFor();
  await page.locator('#editor [contenteditable="true"]').waitFor();
  return page;
}

/** Notes when each number of characters and of threads is shown for the first time. */
const watch = `
  window.shown = {};
  const look = () => {
    for (const [name, count] of Object.entries(${counts})) window.shown[name + count] ??= ${now};
  };
  look();
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
`;

const waitMs = 20_000;
type Shown = Record<string, number>;

/** Undefined: there is no Chromium here. */
export async function inChromium(url: string, changes: number) {
  if (executablePath === undefined) return undefined;
  const browser = await chromium.launch({ executablePath, args: browserArguments });
  try {
    const [alice, bob] = (await Promise.all(
      ["alice", "bob"].map(async (user) => opened(url, user, await (await browser.newContext()).newPage())),
    )) as [Page, Page];
    // Both have read again after they joined.
    await after(3_000);
    for (const page of [alice, bob]) await page.evaluate(watch);
    await alice.locator("#editor [contenteditable]").focus();
    for (let each = 0; each < changes; each++) {
      await alice.keyboard.press("x");
      await after(300);
    }
    for (let each = 0; each < changes; each++) {
      await alice.getByLabel("New comment").fill(`Comment ${each}`);
      await alice.getByLabel("New comment").press("Enter");
      await after(500);
    }
    let [of, to] = [{}, {}] as [Shown, Shown];
    for (let waited = 0; waited < waitMs; waited += 500) {
      [of, to] = (await Promise.all([alice, bob].map((page) => page.evaluate("window.shown")))) as [Shown, Shown];
      if (Object.keys(of).every((name) => to[name])) break;
      await after(500);
    }
    const took = (kind: string) =>
      Object.keys(of).flatMap((name) => (name.startsWith(kind) && to[name] ? [to[name] - (of[name] ?? 0)] : []));
    // The first of each was there before.
    const [comment, keystroke] = [took("comments").slice(1), took("x").slice(1)];
    const rowOf = (what: string, all: number[]) => ({
      what,
      changes: all.length,
      "p50 ms": spread(all).p50,
      "p99 ms": spread(all).p99,
    });
    return [rowOf("comment", comment), rowOf("keystroke", keystroke)];
  } finally {
    await browser.close();
  }
}
