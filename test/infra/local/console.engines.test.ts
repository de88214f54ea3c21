import { expect, onTestFinished, test } from "vitest";
import { folderConsole } from "../../../infra/local/console.ts";
import { httpServer, listen } from "../../../infra/local/listen.ts";
import { keyIn, keys } from "../../support/console/site.ts";
import { temporaryFolder } from "../../support/local/start.ts";

async function start(folder: string, port = 0) {
  const own = folderConsole(folder);
  const { url, close } = await listen(httpServer(own.site), port);
  onTestFinished(close);
  own.ready(url, { ...keys, readToken: "at_only-reads" });
  const canChange = async (headers: Record<string, string>) => {
    const reply = await fetch(`${url}/console/session`, { headers: { ...headers, connection: "close" } });
    return ((await reply.json()) as { canChange: boolean }).canChange;
  };
  return { url, close, address: () => own.address(url), canChange };
}

test("the cookie of an earlier start opens nothing: another server may have got it meanwhile", async () => {
  const folder = temporaryFolder();
  const first = await start(folder);
  const opened = await fetch(first.address(), { redirect: "manual", headers: { connection: "close" } });
  const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";");
  const headers = { cookie, ...keyIn(opened.headers.get("location")) };
  expect(await first.canChange(headers)).toBe(true);
  expect(await first.canChange({ cookie })).toBe(false);
  await first.close();
  const second = await start(folder, Number(new URL(first.url).port));
  expect(await second.canChange(headers)).toBe(false);
});
