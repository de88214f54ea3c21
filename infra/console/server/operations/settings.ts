// The settings of a deployment: names and defaults from the code, meanings from infra/DEPLOYMENT.md.
import { readFileSync } from "node:fs";
import { config } from "../../../../lib/config.ts";
import { defaults } from "../../../stack/settings.ts";
import type { ShownSetting } from "../operations.ts";

/** The local server has an environment in place of a stack. What functions do not read has no effect here. */
export function localSettings(): ShownSetting[] {
  const isRead = (name: string): name is keyof typeof config => Object.hasOwn(config, name);
  const settings = shown((name) => (isRead(name) ? config[name]() : undefined));
  return settings.map((each) => (isRead(each.name) ? each : { ...each, isOnlyOnAws: true }));
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

const withoutLinks = (text: string) => text.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1");
