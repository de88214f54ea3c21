// The parts of the documents that are generated from the code. Each is between `<!-- generated:NAME -->` and
// `<!-- /generated -->`.
import { type Endpoint, groups } from "../lib/http/endpoint.ts";
import { keptDays } from "../lib/retention.ts";
import { endpoints, workers } from "./deployables.ts";
import { dataTable } from "./readme-data.ts";
import { table } from "./readme-table.ts";

/** The documents with generated parts. */
export const documents = ["README.md", "lib/store/README.md"];

const parts: Record<string, () => string> = {
  endpoints: endpointTable,
  data: dataTable,
  retention,
  workers: workerTable,
};

/** Returns the text with its generated parts replaced by current ones. */
export function withGenerated(text: string): string {
  return text.replace(/(<!-- generated:(\w+) -->\n)[\s\S]*?(<!-- \/generated -->)/g, (_, start, name, end) => {
    const part = parts[name];
    if (!part)
      throw new Error(`There is no generated part named ${name}. The parts are ${Object.keys(parts).join(", ")}.`);
    return `${start}${part()}\n${end}`;
  });
}

/** One row for each endpoint of the contract, and one for all companion endpoints of a group. */
function endpointTable(): string {
  const rows = groups.flatMap((group) => {
    const members = endpoints.filter((each) => each.group === group);
    const numbered = members.filter((each) => each.contract !== undefined);
    const companions = members.filter((each) => each.companion);
    return [
      ...numbered
        .sort((one, other) => Number(one.contract) - Number(other.contract))
        .map((each) => [group, String(each.contract), rowTextOf(each)]),
      ...(companions.length > 0 ? [[group, "companions", companions.map(rowTextOf).join("<br>")]] : []),
    ];
  });
  return table(["Group", "Contract", "Endpoint"], rows);
}

const rowTextOf = ({ method, path, summary }: Endpoint) => `\`${method} ${path}\` ${summary}`;

function retention(): string {
  const { doneJob, failedJob, expiredGrant, idempotentReply, delivery, memoryChange, ingestRun } = keptDays;
  return (
    `- **Retention** (\`ttl\`): jobs are kept ${doneJob} days after they are done and ${failedJob} days after they have ` +
    `failed, grants on folders and documents ${expiredGrant} days after they expire, webhook deliveries ${delivery} days, the ` +
    `log of changes to the memory ${memoryChange} days, runs of extractions and their files ${ingestRun} days, and replies to an ` +
    `Idempotency-Key ${24 * idempotentReply} hours. Reads compare times themselves; \`ttl\` only deletes old items. A grant on ` +
    "an organization is part of the user's item, which is not deleted."
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
