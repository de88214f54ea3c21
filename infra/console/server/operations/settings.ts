// The settings of a deployment: names and defaults from the code, meanings from infra/DEPLOYMENT.md.
import { readFileSync } from "node:fs";
import { config } from "../../../../lib/config.ts";
import { defaults } from "../../../stack/settings.ts";
import type { ShownSetting } from "../operations.ts";

/** Those of the local server, which has an environment in place of a stack. */
const local: Partial<Record<keyof typeof defaults, () => unknown>> = {
  cell: config.cell,
  egressAllowCidrs: config.egressAllowCidrs,
  aiOrigins: config.aiOrigins,
  permissionProviderOrigins: config.permissionProviderOrigins,
  emailFrom: config.emailFrom,
  sendGridBaseUrl: config.sendGridBaseUrl,
  slackBaseUrl: config.slackBaseUrl,
  originSecretSha256: config.originSecretSha256,
  tokenIssuer: config.tokenIssuer,
  notificationRetentionDays: config.notificationRetentionDays,
  ingestBudgetSeconds: config.ingestBudgetSeconds,
  workspaceCallsPerSecond: config.workspaceCallsPerSecond,
  webhookEndpointsMax: config.webhookEndpointsMax,
};

export function localSettings(): ShownSetting[] {
  const settings = shown((name) => local[name]?.());
  return settings.map((each) => (Object.hasOwn(local, each.name) ? each : { ...each, isOnlyOnAws: true }));
}

/** The settings that the template of the deployed stack was made with. */
export async function stackSettings(stack: string): Promise<ShownSetting[]> {
  const { deployedStack } = await import("../../../guard/deployed.ts");
  const given = (await deployedStack(stack)).template?.Metadata?.Settings;
  return shown((name) => given && (given[name] ?? defaults[name]));
}

function shown(knownValue: (name: keyof typeof defaults) => unknown): ShownSetting[] {
  const meanings = readMeanings();
  return (Object.keys(defaults) as (keyof typeof defaults)[]).map((name) => {
    const value = knownValue(name);
    // Its value helps to guess the secret that it is the hash of.
    const isHidden = /secret/i.test(name) && value;
    return {
      name,
      ...(value !== undefined && { value: isHidden ? "set" : value }),
      default: defaults[name],
      meaning: meanings.get(name) ?? "",
    };
  });
}

const page = new URL("../../../DEPLOYMENT.md", import.meta.url);
const row = /^\| (`\w+`(?:, `\w+`)*) \| .* \| (.*) \|$/gm;

/** The table under Configuration. Settings of one row share their meaning. */
function readMeanings(): Map<string, string> {
  const rows = [...readFileSync(page, "utf8").matchAll(row)];
  return new Map(
    rows.flatMap(([, names = "", meaning = ""]) =>
      names.split(", ").map((name) => [name.replaceAll("`", ""), withoutLinks(meaning)] as const),
    ),
  );
}

const withoutLinks = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
