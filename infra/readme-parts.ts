// The parts of the README that the code knows better. Each stands between `<!-- generated:NAME -->` and
// `<!-- /generated -->`.
import { type Endpoint, groups } from "../lib/endpoint.ts";
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
  const { doneJob, failedJob, expiredGrant, idempotentReply, delivery, memoryChange } = keptDays;
  return (
    `- **Retention** (\`ttl\`): jobs ${doneJob} days after they are done, ${failedJob} after they have failed, grants on ` +
    `folders and documents ${expiredGrant} after their end, webhook deliveries ${delivery}, the log of changes to the ` +
    `memory ${memoryChange}, replies to an Idempotency-Key ${24 * idempotentReply} hours. ` +
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

/** One row a kind of item; the keys come from where they are built. */
function dataTable(): string {
  const [w, o, shard] = ["{workspace}", "{org}", "{0-15}" as unknown as number];
  const sharded = (pk: string, sk: string): Key => ({ pk, sk });
  const rows: [entity: string, key: Key][] = [
    ["Workspace", keys.workspace(w)],
    ["Workspace, in the list of all", keys.workspaceEntry(w)],
    [`Setting: ${Object.keys(settings).join(", ")}`, keys.setting(w, "{setting}")],
    ["Signing key; the private half sealed", keys.signingKey(w)],
    ["Auth token; its SHA-256 only", keys.token(w, "{hash}")],
    ["Organization", keys.organization(w, o)],
    ["User: profile, organization grant, life counter", sharded(keys.userShard(w, o, shard), "{user}")],
    ["Grant on a folder", keys.folderGrant(w, o, "{user}", "{folder}")],
    ["Folder; with its ancestors", sharded(keys.folderShard(w, o, shard), "{folder}")],
    ["Document: pointer to its uid", sharded(keys.documentShard(w, o, shard), "{document}")],
    ["Child of a folder: a document (`D`) or folder (`F`)", keys.child(w, o, "{folder}", "D", "{child}")],
    ["Locator: which organizations have a document", keys.documentLocator(w, "{document}", o)],
    ["Grant on a document", keys.documentGrant(w, "{uid}", "{user}")],
    ["User group", keys.userGroup(w, o, "{group}")],
    ["Member of a user group", keys.userGroupMember(w, o, "{group}", "{user}")],
    ["Run of an extraction, by what was asked", keys.ingestRun(w, "{fingerprint}")],
    ["Knowledge source", keys.knowledgeSource(w, "{source}")],
    ["Chunk of a knowledge source", sharded(keys.knowledgeChunk(w, "{uid}", 0).pk, "{index}")],
    ["Job; in the index `due` until it has ended", keys.job("{job}")],
  ];
  return table(
    ["Item", "pk", "sk"],
    rows.map(([entity, { pk, sk }]) => [entity, `\`${pk}\``, `\`${sk}\``]),
  );
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
