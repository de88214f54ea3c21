import { expect, it } from "vitest";
import { alarmTable } from "../../../infra/watch/alarm-table.ts";
import { anchorsOf, documentText } from "../../support/documents.ts";

const sections = documentText("infra/RUNBOOK.md")
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ anchor: anchorsOf(`## ${text.split("\n", 1)[0]}`)[0], text }));

/** AWS Budgets sends the last itself. */
const alarms = [...Object.keys(alarmTable), "spending"];

it("the runbook has a heading for each alarm, and no other than the one that says how to look", () => {
  expect(sections.map(({ anchor }) => anchor).sort()).toEqual([...alarms, "how-to-look"].sort());
});

it.each(alarms)("the heading of %s says what it means, what to look at, what to run and when it is over", (name) => {
  const { text = "" } = sections.find(({ anchor }) => anchor === name) ?? {};
  const parts = [/^\*\*It means:\*\* \S/m, /^\*\*Look at:\*\* \S/m, /^\*\*Run:\*\*/m, /^\*\*It is over when\*\* \S/m];
  const places = parts.map((part) => text.search(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  const run = text.slice(places[2], places[3]);
  expect(run, "give a command in a block").toMatch(/^```sh\n(?:aws|npm|npx|insights) .+\n/m);
});
