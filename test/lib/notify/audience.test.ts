import { afterEach, expect, it, vi } from "vitest";
import { nextOf, startOf } from "../../../lib/notify/audience.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { documentUidOf } from "../../support/feature-data.ts";
import * as f from "../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

it("lists a user once whose grant on the organization ends between two reads", async () => {
  const as = await f.newOrganization();
  await f.addDocuments(as, undefined, "d");
  const expiresAt = Math.ceil(Date.now() / 1_000) + 30;
  await f.give(as, "u", f.onOrganization({ expiresAt }), f.onDocument("d"));
  await f.give(as, "guest", f.onDocument("d"));
  const ref = { workspace: as.apiKey, organizationId: f.organizationId, documentUid: await documentUidOf(as) };
  interceptStore(({ constructor: { name } }) => {
    if (name === "GetCommand" || name === "BatchGetCommand") later(60);
  });
  const sources = { folderUids: [], groups: [] };
  const { candidates } = await nextOf(ref, sources, startOf(sources, true));
  expect(candidates.map(({ userId }) => userId)).toEqual(["u", "guest"]);
});
