// The policy that infra/DEPLOYMENT.md shows for deployments without the guard.
import { expect, test } from "vitest";
import { kinds } from "../../../infra/guard/template.ts";
import { documentText } from "../../support/documents.ts";

const [, text = ""] = /^```json\n(.*?)^```$/ms.exec(documentText("infra/DEPLOYMENT.md")) ?? [];
const { Statement } = JSON.parse(text);

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
