// The resources of the synthesized template, with the names and ARNs that they have on this machine.
import { fileBucket, keyAlias } from "../../../infra/local/environment.ts";
import { type Names, resolved } from "./intrinsics.ts";
import { arnOf } from "./needs.ts";
import { type Statement, statementsOf } from "./policy.ts";

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of AWS's shapes
export type Properties = any;

export type Template = Record<string, { Type: string; Properties: Properties }>;

export interface Resources {
  /** The properties of all resources of a type, by logical id. */
  all(type: string): [id: string, properties: Properties][];
  resolved<T>(value: T): T;
  /** The statements of the role that this reference names. Throws if the service may not take the role. */
  roleOf(reference: { "Fn::GetAtt": [id: string, attribute: string] }, service: string): Statement[];
}

export function resourcesOf(template: Template, urlOfQueue: (kind: string) => string): Resources {
  const names = namesIn(template, urlOfQueue);
  return {
    all: (type) =>
      Object.entries(template).flatMap(([id, each]): [string, Properties][] =>
        each.Type === type ? [[id, each.Properties]] : [],
      ),
    resolved: (value) => resolved(value, names),
    roleOf({ "Fn::GetAtt": [id] }, service) {
      const role = template[id]?.Properties ?? fail(`The template has no role ${id}.`);
      const trusted: Properties[] = role.AssumeRolePolicyDocument.Statement;
      const isTrusted = trusted.some(({ Effect, Action, Principal }) => {
        return Effect === "Allow" && Action === "sts:AssumeRole" && [Principal.Service].flat().includes(service);
      });
      if (!isTrusted) fail(`${service} may not take the role ${id}.`);
      if (role.ManagedPolicyArns) fail(`${id} has managed policies, whose statements are not in the template.`);
      return statementsOf(resolved(role.Policies, names).flatMap((each: Properties) => each.PolicyDocument.Statement));
    },
  };
}

export function fail(message: string): never {
  throw new Error(message);
}

const queueName = (id: string) => /^([a-z]+)queue/.exec(id)?.[1] ?? id;

function namesIn(template: Template, urlOfQueue: (kind: string) => string): Names {
  const table = () => process.env.TABLE_NAME ?? "";
  const refs: Record<string, (id: string) => string> = {
    "AWS::DynamoDB::GlobalTable": table,
    "AWS::S3::Bucket": () => fileBucket,
    "AWS::KMS::Key": () => keyAlias,
    "AWS::SQS::Queue": (id) => urlOfQueue(queueName(id)),
    "AWS::Lambda::Function": (id) => id,
    "AWS::Logs::LogGroup": (id) => id,
  };
  const arns: Record<string, (id: string) => string> = {
    "AWS::DynamoDB::GlobalTable": () => arnOf.table(table()),
    "AWS::S3::Bucket": () => arnOf.bucket(fileBucket),
    "AWS::KMS::Key": () => arnOf.key(keyAlias),
    "AWS::SQS::Queue": (id) => arnOf.queue(queueName(id)),
    "AWS::Lambda::Function": arnOf.lambda,
    "AWS::Logs::LogGroup": arnOf.logs,
    "AWS::Events::Rule": arnOf.rule,
  };
  const found = (values: typeof refs, id: string, what: string) => {
    const value = values[template[id]?.Type ?? ""];
    return value ? value(id) : fail(`test/rehearse/aws/resources.ts does not know ${what} of ${id}.`);
  };
  return {
    ref: (id) => found(refs, id, "the name"),
    attribute(id, name) {
      if (name === "Arn") return found(arns, id, "the ARN");
      // It is in links to the service only, which nobody follows here.
      if (name === "ApiEndpoint") return "https://api.example.com";
      return fail(`${name} of ${id} is not known.`);
    },
  };
}
