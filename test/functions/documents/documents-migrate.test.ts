import { describe, expect, it } from "vitest";
import { documentsMigrate, handler } from "../../../functions/documents/documents-migrate.ts";
import { documentsMigrateStatus } from "../../../functions/documents/documents-migrate-status.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { documentEntity } from "../../../lib/store/content/document.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import {
  addDocuments,
  callSource,
  give,
  issuesOf,
  keyText,
  mocked,
  newOrganization,
  oddIds,
  onDocument,
  organizationId,
} from "../../support/workspace.ts";

const from = (documentId: string, newDocumentId: string) => ({ organizationId, documentId, newDocumentId });
const statusOf = async (as: Credentials, data: object) => (await call(documentsMigrate, { as, data })).error?.status;

describe("OK", () => {
  it("stores the pending migration with its job, and changes nothing else", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    const stored = (documentId: string) =>
      Table.get(documentEntity.key({ workspace: as.apiKey, organizationId, documentId }));
    const before = await stored("d");
    const { migrationId } = await must(documentsMigrate, { as, data: from("d", "e") });
    const data = { organizationId, migrationId };
    expect(await must(documentsMigrateStatus, { as, data })).toEqual({ migrationId, status: "pending" });
    expect((await jobsOf(as, "migrate")).map(({ payload }) => payload)).toEqual([data]);
    expect(await stored("d")).toEqual(before);
    expect(await stored("e")).toBeUndefined();
  });

  it("accepts any documentId, and a new id that has only grants", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, ...oddIds);
    await give(as, "ann", onDocument("new"));
    for (const id of oddIds) expect(await statusOf(as, from(id, "new"))).toBeUndefined();
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing or reserved document, and for one of another workspace", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    await give(as, "ann", onDocument("reserved"));
    expect(await statusOf(as, from("missing", "e"))).toBe("NOT_FOUND");
    expect(await statusOf(as, from("reserved", "e"))).toBe("NOT_FOUND");
    expect(await statusOf(await newOrganization(), from("d", "e"))).toBe("NOT_FOUND");
    expect(await jobsOf(as, "migrate")).toEqual([]);
  });
});

describe("ALREADY_EXISTS", () => {
  it("is returned for the id of another document, and nothing is stored", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d", "e");
    expect(await statusOf(as, from("d", "e"))).toBe("ALREADY_EXISTS");
    expect(await jobsOf(as, "migrate")).toEqual([]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for two equal ids and for invalid ids, and nothing is stored", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    expect(await issuesOf(documentsMigrate, as, from("d", "d"))).toEqual(["newDocumentId"]);
    expect(await issuesOf(documentsMigrate, as, { ...from("d", ""), organizationId: 7 })).toEqual([
      "organizationId",
      "newDocumentId",
    ]);
    expect(await issuesOf(documentsMigrate, as, {})).toEqual(["organizationId", "documentId", "newDocumentId"]);
    expect(await jobsOf(as, "migrate")).toEqual([]);
  });
});

describe("AWS calls", () => {
  it("makes two reads, one transaction with its job, and one send", async () => {
    const aws = mockAws([...mocked.rows, mocked.document]);
    expect(await callSource(handler, documentsMigrate, from("d", "e"))).toBe(200);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/),
      expect.stringMatching(
        `^BatchGet ${keyText.document("d")}, ${keyText.document("e")}, W#w#O#o ORG, W#w#O#o MIGRATION#[\\w-]{36}$`,
      ),
      expect.stringMatching(/^TransactWrite Put W#w#O#o MIGRATION#[\w-]{36} if absent, Put JOB#\S+ JOB if absent$/),
      "SendMessageBatch",
    ]);
    aws.restore();
  });
});
