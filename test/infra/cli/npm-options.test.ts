import { expect, it } from "vitest";
import { optionsTakenByNpm } from "../../../infra/cli/npm-options.ts";

const options = [
  { name: "port", takesValue: true },
  { name: "stack", takesValue: true },
  { name: "data", takesValue: true },
  { name: "demo-ai", takesValue: false },
  { name: "yes", takesValue: false },
];
const taken = (script: string, args: string[], env: Record<string, string>) =>
  optionsTakenByNpm({ script, args, options, env: { npm_lifecycle_event: script, ...env } });

it.each([
  ["npm start --port 1", "start", ["1"], { npm_config_port: "true" }, "npm start -- --port 1"],
  ["npm start --port=1", "start", [], { npm_config_port: "1" }, "npm start -- --port 1"],
  ["npm start --demo-ai", "start", [], { npm_config_demo_ai: "true" }, "npm start -- --demo-ai"],
  [
    "npm run admin workspace list --stack s",
    "admin",
    ["workspace", "list", "s"],
    { npm_config_stack: "true" },
    "npm run admin -- workspace list --stack s",
  ],
  [
    "npm run admin a --stack s --port 1 --yes",
    "admin",
    ["a", "s", "1"],
    { npm_config_port: "true", npm_config_stack: "true", npm_config_yes: "true" },
    "npm run admin -- a --port VALUE --stack VALUE --yes",
  ],
  ["npm start --data=/my/data x", "start", [], { npm_config_data: "/my/data x" }, "npm start -- --data '/my/data x'"],
] as const)("%s is answered with the command to write", (_, script, args, env, command) => {
  expect(taken(script, [...args], env)).toMatch(new RegExp(`: ${command}$`));
});

it("nothing is said when npm has taken nothing, or only what is for npm itself", () => {
  expect(taken("start", ["--port", "1"], { npm_config_yes: "" })).toBeUndefined();
  expect(taken("start", [], { npm_config_yes: "true", npm_config_other: "true" })).toBeUndefined();
});

it("nothing is said to a program that another script starts", () => {
  const env = { npm_lifecycle_event: "test", npm_config_port: "1" };
  expect(optionsTakenByNpm({ script: "start", args: [], options, env })).toBeUndefined();
});
