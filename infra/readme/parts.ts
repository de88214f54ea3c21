// The parts of the READMEs that are generated from the code. Each is between `<!-- generated:NAME -->` and
// `<!-- /generated -->`.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Endpoint, methodsOf } from "../../lib/http/endpoint.ts";
import { keptDays } from "../../lib/retention.ts";
import { entities } from "../../lib/store/entities.ts";
import { endpoints, folderOf, workers } from "../deployables.ts";
import { inReadingOrder } from "../openapi/reading-order.ts";
import { type AlarmRow, alarmTable, spendingAlarm } from "../watch/alarm-table.ts";
import { table } from "./table.ts";

/** The documents that have generated parts. */
export const documents = ["README.md", "functions/README.md", "lib/store/README.md", "infra/RUNBOOK.md"];

const parts: Record<string, () => string> = {
  groups: groupTable,
  endpoints: endpointTables,
  data: dataTable,
  retention,
  workers: workerTable,
  alarms: alarmRows,
};

/** Returns the text with its generated parts up to date. */
export function withGenerated(text: string): string {
  return text.replace(/(<!-- generated:(\w+) -->\n)[\s\S]*?(<!-- \/generated -->)/g, (_, start, name, end) => {
    const part = parts[name];
    if (!part)
      throw new Error(`There is no generated part ${name}. Correct the marker \`<!-- generated:${name} -->\`.`);
    return `${start}${part()}\n${end}`;
  });
}

const sections = inReadingOrder(endpoints);

/** Has a row for each section. */
function groupTable(): string {
  const rows = sections.map(({ name, groups }) => {
    const links = groups.map((group) => `[${group.title}](functions/README.md#${group.name})`);
    const members = groups.flatMap((group) => group.endpoints);
    const companions = members.filter((each) => each.companion).length;
    return [name, links.join(", "), String(members.length - companions), String(companions)];
  });
  return table(["Section", "Groups", "Contract", "Companions"], rows);
}

/** A table for each group. It has a column for users where their tokens open an endpoint. */
function endpointTables(): string {
  const head = ["Endpoint", "What it does", "Scope", "Users"];
  return sections
    .flatMap(({ groups }) => groups)
    .map(({ title, about, endpoints }) => {
      const columns = endpoints.some(({ users }) => users) ? 4 : 3;
      const rows = [head, ...endpoints.map(endpointRow)].map((row) => row.slice(0, columns));
      return `## ${title}\n\n${about}\n\n${table(rows[0] as string[], rows.slice(1))}`;
    })
    .join("\n\n");
}

function endpointRow(declared: Endpoint): string[] {
  const { path, summary, name, credentials, scope, users = "–" } = declared;
  const methods = methodsOf(declared).join(", ");
  const call = methods === "POST" ? path : `${methods} ${path}`;
  const needed = credentials === "none" ? "–" : scope;
  return [`[\`${call}\`](${folderOf(declared)}/${name}.ts)`, summary, needed, users];
}

function retention(): string {
  const days = (what: keyof typeof keptDays) => `${keptDays[what]} days`;
  const done = `${days("doneJob")} after it is done, ${days("failedJob")} after it has failed`;
  const rows = [
    ["Job", `${done}; a failed deletion of a folder or organization until it is retried`],
    ["Grant on a folder or document", `${days("expiredGrant")} after its end`],
    ["Notification", "`notificationRetentionDays`, 365 by default"],
    ["Webhook delivery", days("delivery")],
    ["E-mail or Slack message", days("message")],
    ["Run of an extraction, with its file", days("ingestRun")],
    ["Change of the memory", days("memoryChange")],
    ["Reply to an `Idempotency-Key`", `${24 * keptDays.idempotentReply} hours`],
    ["Receipt of an erasure", days("receipt")],
    ["Id of an erased user", days("erasedUser")],
  ];
  return table(["Data", "Kept"], rows);
}

function workerTable(): string {
  const rows = workers.map(({ name, summary }) => [`\`${name}\``, summary]);
  return table(["Worker", "What it does"], rows);
}

function alarmRows(): string {
  const rows = Object.entries(alarmTable as Record<string, AlarmRow>).map(([name, row]) => {
    const { threshold, isBelow, unit, periodMinutes, periods, goesBack } = row;
    const limit = `${isBelow ? "<" : "≥"} ${threshold.toLocaleString("en")} ${unit} in ${periodMinutes} min`;
    const times = periods === 1 ? "" : `, ${periods} times`;
    return [`[\`${name}\`](#${name})`, `${limit}${times}`, goesBack ? "yes" : ""];
  });
  const { actual, forecast } = spendingAlarm;
  const limit = `${actual} % of \`monthlyBudgetUsd\` spent, or ${forecast} % forecast`;
  rows.push(["[`spending`](#spending)", limit, ""]);
  return table(["Alarm", "Fires at", "Pipeline goes back"], rows);
}

const folder = fileURLToPath(new URL("../../lib/store", import.meta.url));

/** Each field of a shape in `lib/store` as a placeholder in braces: keys are built from some of them. */
const placeholders = Object.fromEntries(
  globSync("**/*.ts", { cwd: folder })
    .flatMap((file) => readFileSync(`${folder}/${file}`, "utf8").match(/\b\w+(?=: (?!true))/g) ?? [])
    .map((name) => [name, `{${name}}`]),
);

/** Removes the zeros that pad numbers in keys: they would stand before a placeholder. */
const unpadded = (key: string) => key.replace(/(?<!0)0+(?=\{)/g, "");

/** The data dictionary: a row for each entity. The entity itself builds the keys. */
export function dataTable(): string {
  const rows = entities.map(({ name, about, keyOf }) => {
    const { pk, sk } = keyOf(placeholders);
    if (`${pk}${sk}`.includes("undefined"))
      throw new Error(`No shape in lib/store has each field of the key of ${name}.`);
    return [`\`${name}\``, about, `\`${pk}\` \`${unpadded(sk)}\``];
  });
  return table(["Entity", "What it is", "Partition key, sort key"], rows);
}
