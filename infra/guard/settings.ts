// Whether the template has the settings of the deployed stack. A deployment knows only its own context: without
// `customDomain`, it removes the domain, and without `originSecretSha256`, it opens the API beside its front.
import { defaults, type Settings } from "../settings.ts";
import type { Template } from "./template.ts";

/** Their absence is wanted, or has a sentence of its own. */
const others: readonly (keyof Settings)[] = [
  "development",
  "keepFormerIndex",
  "existingTableName",
  "existingKeyArn",
  "existingBucketName",
];

export function forgottenSettings(deployed: Template | undefined, next: Template): string[] {
  const was = deployed?.Metadata?.Settings ?? {};
  const is = next.Metadata?.Settings ?? {};
  const names = Object.keys(defaults) as (keyof Settings)[];
  const forgotten = names.filter(
    (name) => !others.includes(name) && name in was && was[name] !== defaults[name] && !(name in is),
  );
  return forgotten.map(
    (name) =>
      `The setting ${name} of the deployed stack is ${JSON.stringify(was[name])}, and the template does not have it. Add it to context of cdk.json. To end it on purpose, set it to its default there: ${JSON.stringify(defaults[name])}.`,
  );
}
