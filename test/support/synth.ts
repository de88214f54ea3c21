import { rmSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import type { Deployable } from "../../infra/deployables.ts";
import { checked } from "../../infra/stack/settings.ts";
import { BackendStack } from "../../infra/stack/stack.ts";
import { fakeAssets } from "./fake-functions.ts";

/** The stack's template, and ways to read it. */
export function synth(deployables: readonly Deployable[], settings: Parameters<typeof checked>[0] = {}) {
  const assets = fakeAssets(deployables);
  const outdir = join(assets, "cdk.out");
  try {
    // CDK's own validation takes seconds and only warns. `cdk synth` has it, and the stack's test runs AWS's checks.
    const app = new App({ outdir, builtinCloudFormationValidation: false });
    const stack = new BackendStack(app, { deployables, assets, settings: checked(settings) });
    const template = Template.fromStack(stack);
    return { stack, template, ...readings(template) };
  } finally {
    rmSync(assets, { recursive: true });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of AWS's shapes, not ours.
type Properties = any;

/** A statement of a policy. */
interface Statement {
  Action: string | string[];
  Resource: unknown;
  Condition?: { StringEquals?: Record<string, string> };
}

function readings(template: Template) {
  const resources = Object.entries(
    template.toJSON().Resources as Record<string, { Type: string; Properties: Properties }>,
  );
  /** The properties of all resources of a type, by logical id. */
  const all = (type: string): [string, Properties][] =>
    resources.flatMap(([id, each]) => (each.Type === type ? [[id, each.Properties]] : []));
  /** The properties of the function of a declaration. */
  const lambda = ({ summary }: Deployable): Properties =>
    all("AWS::Lambda::Function").find(([, { Description }]) => Description === summary)?.[1];
  /** What a function's role allows. */
  const allowed = (each: Deployable): Statement[] => {
    const [role] = lambda(each).Role["Fn::GetAtt"];
    const { Policies, ManagedPolicyArns } = template.toJSON().Resources[role].Properties;
    if (ManagedPolicyArns) throw new Error(`${each.name} has managed policies.`);
    return Policies.flatMap((policy: Properties) => policy.PolicyDocument.Statement);
  };
  /** The logical id of the first resource of a type whose id starts with the prefix. */
  const idOf = (type: string, prefix = ""): string | undefined => all(type).find(([id]) => id.startsWith(prefix))?.[0];
  const arn = (type: string, prefix?: string) => ({ "Fn::GetAtt": [idOf(type, prefix), "Arn"] });
  return { resources, all, lambda, allowed, idOf, arn };
}
