import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { mask } from "../../../../infra/console/server/mask.ts";
import { shownText, terminalOf } from "../../../../infra/console/server/terminal.ts";

test("neither output has a key of the process or a character that controls the terminal", () => {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const terminal = terminalOf({ stdin: Readable.from([]), print, printError: print });
  terminal.hide(["ws_12345678", "at_12345678"]);
  terminal.print("ws_12345678 \u001b[2J\n");
  terminal.printError("at_12345678\n at x\n");
  expect(printed).toEqual([`${mask} \\u{1b}[2J\n`, `${mask}\n at x\n`]);
});

test("a text that is too short for a key stays", () => {
  expect(shownText("an api", ["a"])).toBe("an api");
});
