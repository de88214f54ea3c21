// The policy for deployments without the guard (infra/DEPLOYMENT.md#a-policy-of-the-stack).
import { expect, test } from "vitest";
import { kinds } from "../../../infra/guard/template.ts";
import { documentText } from "../../support/documents.ts";

const { Statement } = JSON.parse(documentText("infra/examples/stack-policy.json"));

test("the policy of the stack allows updates, but none that replaces or removes what the guard protects", () => {
  const everything = { Principal: "*", Resource: "*" };
  const ResourceType = kinds.flatMap(({ types }) => types);
  expect(Statement).toEqual([
    { Effect: "Allow", Action: "Update:*", ...everything },
    {
      Effect: "Deny",
      Action: ["Update:Replace", "Update:Delete"],
      ...everything,
      Condition: { StringEquals: { ResourceType } },
    },
  ]);
});
