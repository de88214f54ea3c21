// Pictures of /demo in two windows, side by side: two users write one text, and the threads are beside it.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";

/** Each window is narrow, so that the picture can be read on a phone. */
const viewport = { width: 340, height: 560 };
const gap = 12;
const deviceScaleFactor = 1.5;

/** Takes "demo-light.png" and "demo-dark.png". The server has the example. */
export async function takeDemo(browser: Browser, url: string, into: string): Promise<void> {
  const [alice, bob] = [await opened(browser, url, "alice"), await opened(browser, url, "bob")];
  await text(alice).pressSequentially("## Timeline\nLaunch on 3");
  await text(bob).getByText("on 3").click();
  await text(bob).press("End");
  await text(bob).pressSequentially(" March.");
  await text(alice).press("Enter");
  await text(alice).pressSequentially("Print a week before.");
  await text(bob).getByText("week before.").waitFor();
  // Until both have the last places of the carets.
  await sleep(1_500);
  for (const colorScheme of ["light", "dark"] as const) {
    const shots: string[] = [];
    for (const page of [alice, bob]) {
      await page.emulateMedia({ colorScheme });
      shots.push((await page.screenshot()).toString("base64"));
    }
    await sideBySide(browser, shots, join(into, `demo-${colorScheme}.png`));
  }
  for (const page of [alice, bob]) await page.context().close();
}

const text = (page: Page) => page.getByRole("textbox", { name: "Text of the document" });

/** The page of a user, when the text and the threads are there. */
async function opened(browser: Browser, url: string, user: string): Promise<Page> {
  const page = await browser.newPage({ viewport, deviceScaleFactor });
  await page.goto(`${url}/demo?user=${user}`);
  await page.locator('[contenteditable="true"]').waitFor();
  await page.locator("article").first().waitFor();
  return page;
}

async function sideBySide(browser: Browser, shots: string[], path: string): Promise<void> {
  const width = viewport.width * 2 + gap;
  const page = await browser.newPage({ viewport: { ...viewport, width }, deviceScaleFactor });
  const images = shots.map((shot) => `<img width="${viewport.width}" src="data:image/png;base64,${shot}">`);
  const style = `body { margin: 0; display: flex; gap: ${gap}px } img { border-radius: 8px }`;
  await page.setContent(`<style>${style}</style>${images.join("")}`);
  await page.screenshot({ path, omitBackground: true });
  await page.close();
}
