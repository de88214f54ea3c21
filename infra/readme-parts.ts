// The parts of the README that the code knows better. Each stands between `<!-- generated:NAME -->` and
// `<!-- /generated -->`.
import { type Endpoint, groups } from "../lib/http/endpoint.ts";
import { keptDays } from "../lib/retention.ts";
import { endpoints, workers } from "./deployables.ts";
import { dataTable } from "./readme-data.ts";
import { table } from "./readme-table.ts";

/** Where generated parts stand. */
export const documents = ["README.md", "lib/store/README.md"];

const parts: Record<string, () => string> = {
  endpoints: endpointTable,
  data: dataTable,
  retention,
  workers: workerTable,
};

/** The text with its generated parts as they should be. */
export function withGenerated(text: string): string {
  return text.replace(/(<!-- generated:(\w+) -->\n)[\s\S]*?(<!-- \/generated -->)/g, (_, start, name, end) => {
    const part = parts[name];
    if (!part) throw new Error(`The README names a generated part that does not exist: ${name}.`);
    return `${start}${part()}\n${end}`;
  });
}

/** A row for each of the contract's endpoints, and one for all companions of a group. */
function endpointTable(): string {
  const rows = groups.flatMap((group) => {
    const members = endpoints.filter((each) => each.group === group);
    const numbered = members.filter((each) => each.contract !== undefined);
    const companions = members.filter((each) => each.companion);
    return [
      ...numbered
        .sort((one, other) => Number(one.contract) - Number(other.contract))
        .map((each) => [group, String(each.contract), described(each)]),
      ...(companions.length > 0 ? [[group, "companions", companions.map(described).join("<br>")]] : []),
    ];
  });
  return table(["Group", "Contract", "Endpoint"], rows);
}

const described = ({ method, path, summary }: Endpoint) => `\`${method} ${path}\` ${summary}`;

function retention(): string {
  const { doneJob, failedJob, expiredGrant, idempotentReply, delivery, memoryChange, ingestRun } = keptDays;
  return (
    `- **Retention** (\`ttl\`): jobs ${doneJob} days after they are done, ${failedJob} after they have failed, grants on ` +
    `folders and documents ${expiredGrant} after their end, webhook deliveries ${delivery}, the log of changes to the ` +
    `memory ${memoryChange}, runs of extractions and their files ${ingestRun}, replies to an Idempotency-Key ${24 * idempotentReply} hours. ` +
    "Reads go by the time; `ttl` only cleans. A grant on an organization is in its user's item, which stays."
  );
}

function workerTable(): string {
  const rows = workers.map(({ name, summary, ...rest }) => [
    `\`${name}\``,
    rest.kind === "queue" ? `jobs of kind \`${rest.jobs}\`` : `every ${rest.everyMinutes} min`,
    summary,
  ]);
  return table(["Worker", "Run by", "What it does"], rows);
}
