// Whether the template has the settings of the deployed stack. A deployment knows only its own context: without
// `customDomain`, it removes the domain, and without `originSecretSha256`, it opens the API beside its front. A former
// commit has former settings. So a return to it would undo a rotated secret or a raised limit.
import { isDeepStrictEqual } from "node:util";
import { defaults } from "../stack/settings.ts";
import type { Template } from "./template.ts";

/** Settings that may be absent, or that another check reports. */
const others = ["development", "leavingVpc", "existingTableName", "existingKeyArn", "existingBucketName"];

interface Change {
  name: string;
  /** The template leaves out a setting of the deployed stack. */
  isForgotten: boolean;
  from: unknown;
  to: unknown;
}

/**
 * The settings whose values differ. A setting that was not given has its default. There are no changes before
 * the first deployment.
 */
export function changedSettings(deployed: Template | undefined, next: Template): Change[] {
  const was = deployed?.Metadata?.Settings;
  const is = next.Metadata?.Settings ?? {};
  if (!was) return [];
  const byDefault: Readonly<Record<string, unknown>> = { ...defaults };
  const names = new Set([...Object.keys(defaults), ...Object.keys(was)]);
  return [...names].flatMap((name) => {
    const [from, to] = [was, is].map((given) => (name in given ? given[name] : byDefault[name]));
    if (isDeepStrictEqual(from, to)) return [];
    return [{ name, from, to, isForgotten: name in defaults && !others.includes(name) && !(name in is) }];
  });
}

export interface Permission {
  /** The template is of an earlier release than the deployed stack. */
  isBack: boolean;
  /** Names of settings that may change, and end, all the same. */
  changed: readonly string[];
}

export function settingsProblems(changes: readonly Change[], { isBack, changed }: Permission): string[] {
  return changes
    .filter(({ name }) => !changed.includes(name))
    .flatMap((change) => (change.isForgotten ? [forgotten(change)] : isBack ? [backChange(change)] : []));
}

function forgotten({ name, from }: Change): string {
  const value = isSecret(name) ? "" : `, ${JSON.stringify(from)}`;
  return `The deployed stack has the setting ${name}${value}, and the template does not have it. Add it to context of cdk.json. To end it on purpose, set it to its default there: ${JSON.stringify(defaults[name as keyof typeof defaults])}.`;
}

function backChange(change: Change): string {
  const how = isUnknown(change)
    ? "Go back to a release that has it."
    : "Keep the settings of the deployed stack: git checkout main -- cdk.json.";
  return `${changeText(change)} ${how} If this is on purpose, add --changed ${change.name}.`;
}

/** A sentence that names the setting, with both values. */
export function changeText(change: Change): string {
  const { name, from, to } = change;
  if (isUnknown(change)) return `The setting ${name} of the deployed stack does not exist in this release.`;
  if (isSecret(name)) return `The setting ${name} changes.`;
  return `The setting ${name} changes from ${JSON.stringify(from)} to ${JSON.stringify(to)}.`;
}

/** The deployed stack is of a later release. */
const isUnknown = ({ name }: Change) => !(name in defaults);

/** Its value is not printed: many can read the output of a pipeline. */
const isSecret = (name: string) => /secret/i.test(name);
