import { describe, expect, it } from "vitest";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { documentsMigrateStatus, handler } from "../../../functions/documents/documents-migrate-status.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Migration from "../../../lib/store/content/migration.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, must } from "../../support/call.ts";
import {
  addDocuments,
  callSource,
  issuesOf,
  mocked,
  newOrganization,
  organizationId,
} from "../../support/workspace.ts";

describe("OK", () => {
  it.each([
    ["pending", {}],
    ["in_progress", {}],
    ["in_progress", { switchedAt: "2026-01-01T00:00:00.000Z", reservedUid: "x" as DocumentUid }],
    ["completed", {}],
    ["failed", { reason: "The document was deleted." }],
  ] as const)("returns the status %s, and no internal fields", async (status, more) => {
    const as = await newOrganization();
    const migrationId = "m";
    const ref = { workspace: as.apiKey, organizationId, migrationId };
    const ids = { documentId: "d", newDocumentId: "e", documentUid: "secret-uid" as DocumentUid };
    await commit([Migration.creation(ref, ids)]);
    const stored = (await Migration.get(ref)) as Migration.Migration;
    await commit([Migration.change(ref, stored, { status, ...more })]);
    const data = await must(documentsMigrateStatus, { as, data: { organizationId, migrationId } });
    expect(data).toEqual({ migrationId, status, ...("reason" in more && more) });
  });
});

describe("NOT_FOUND", () => {
  it("is returned for an unknown migration and for one of another organization or workspace", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "other" }] } });
    const moving = { organizationId, documentId: "d", newDocumentId: "e" };
    const { migrationId } = await must(documentsMigrate, { as, data: moving });
    const requests = [
      { as, data: { organizationId, migrationId: "unknown" } },
      { as, data: { organizationId: "other", migrationId } },
      { as, data: { organizationId: "missing", migrationId } },
      { as: await newOrganization(), data: { organizationId, migrationId } },
    ];
    const replies = await Promise.all(requests.map((options) => call(documentsMigrateStatus, options)));
    const error = { status: "NOT_FOUND", message: "The migration does not exist." };
    expect(replies.map((each) => each.error)).toEqual(requests.map(() => error));
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for missing and empty ids", async () => {
    const as = await newOrganization();
    expect(await issuesOf(documentsMigrateStatus, as, {})).toEqual(["organizationId", "migrationId"]);
    expect(await issuesOf(documentsMigrateStatus, as, { organizationId, migrationId: "" })).toEqual(["migrationId"]);
  });
});

describe("AWS calls", () => {
  it("makes two reads", async () => {
    const aws = mockAws([...mocked.rows]);
    expect(await callSource(handler, documentsMigrateStatus, { organizationId, migrationId: "m#1" })).toBe(404);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/),
      "BatchGet W#w#O#o MIGRATION#m%231, W#w#O#o ORG",
    ]);
    aws.restore();
  });
});
