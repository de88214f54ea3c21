import { expect, test } from "vitest";
import { workers } from "../../../infra/deployables.ts";
import { documentText } from "../../support/documents.ts";

test("the page says of each worker whether the smoke test covers it", () => {
  const [, section = ""] = /^## After each deployment\n(.*?)^## /ms.exec(documentText("infra/DEPLOYMENT.md")) ?? [];
  const words = [...section.matchAll(/`([a-z]+)`/g)].map(([, name]) => name);
  const named = workers.map(({ name }) => [name, words.filter((word) => word === name).length]);
  expect(named).toEqual(workers.map(({ name }) => [name, 1]));
});
