import { beforeAll, describe } from "vitest";
import { storeCases, unitCases } from "../../support/engine/cases.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";

beforeAll(newTableInMemory);

describe("the store on the table in memory", () => {
  storeCases();
  unitCases();
});
