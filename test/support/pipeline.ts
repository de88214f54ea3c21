// The pipeline infra/examples/pipeline.yml.
import { parse } from "yaml";
import { documentText } from "./documents.ts";

export interface Step {
  id?: string;
  name?: string;
  uses?: string;
  run?: string;
  if?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Workflow {
  on: { push: { branches: string[] }; workflow_dispatch: { inputs: Record<string, object> } };
  env: Record<string, string>;
  defaults: { run: { shell: string } };
  jobs: Record<string, { "runs-on": string; steps: Step[] }>;
}

export const page = documentText("infra/DEPLOYMENT.md");
export const text = documentText("infra/examples/pipeline.yml");
export const workflow: Workflow = parse(text, { strict: true });
export const steps = workflow.jobs.deploy?.steps ?? [];
export const place = (pattern: RegExp) => steps.findIndex(({ run = "" }) => pattern.test(run));
export const goBack = steps.find(({ name }) => name === "go back") ?? {};
export const deployment = /^npx cdk deploy --app cdk\.out --require-approval never$/m;
