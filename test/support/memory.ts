// Judgments for the tests of the memory.
import { judgmentsAdd } from "../../functions/memory/judgments-add.ts";
import { type Credentials, must } from "./call.ts";

export const judgment = (reasoning: string, fields: object = {}) => ({
  decision: "rejected",
  reasoning,
  actionUser: { userId: "alice", name: "Alice" },
  ...fields,
});

/** Adds the judgments. Returns their ids. */
export async function remember(as: Credentials, ...judgments: object[]): Promise<string[]> {
  return (await must(judgmentsAdd, { as, data: { judgments } })).recordIds;
}
