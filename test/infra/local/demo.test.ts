import { expect, it } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { presenceAdd } from "../../../functions/presence/presence-add.ts";
import { demoWorkspace } from "../../../infra/local/demo.ts";
import { must } from "../../support/call.ts";
import { temporaryFolder } from "../../support/local/start.ts";
import { callAs, tokenOf } from "../../support/users.ts";
import { addDocuments, organizationId } from "../../support/workspace.ts";

it("users of the demo workspace call from a page of this machine, on any port, and from no other page", async () => {
  const as = await demoWorkspace(temporaryFolder());
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  await addDocuments(as, undefined, "d");
  const token = await tokenOf(as, "ann");
  const statusFrom = async (origin: string) =>
    (await callAs(token, presenceAdd, { documentId: "d" }, { origin })).status;
  for (const origin of ["http://localhost:5173", "http://127.0.0.1:3000", "http://localhost", "https://localhost:1"]) {
    expect(await statusFrom(origin), origin).toBe(200);
  }
  expect(await statusFrom("https://example.com")).toBe(403);
});
