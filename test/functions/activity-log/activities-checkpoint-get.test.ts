import { compactVerify, createLocalJWKSet } from "jose";
import { describe, expect, it } from "vitest";
import { activitiesCheckpointGet, handler } from "../../../functions/activity-log/activities-checkpoint-get.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { jwksRecordsGet } from "../../../functions/user-tokens/jwks-records-get.ts";
import { signRecord } from "../../../lib/access/signing-keys.ts";
import { checkpointType, readCheckpoint } from "../../../lib/activity/checkpoint.ts";
import { append, chainOf, newLog, organizationId } from "../../support/activity-log.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { expectRefused } from "../../support/refusal.ts";
import { callSource, mocked } from "../../support/workspace.ts";

fakeDates();

const addDocuments = (as: Credentials, ...ids: string[]) =>
  must(documentsAdd, { as, data: { organizationId, documents: ids.map((documentId) => ({ documentId })) } });

const checkpoint = async (as: Credentials, id = organizationId): Promise<string> =>
  (await must(activitiesCheckpointGet, { as, data: { organizationId: id } })).checkpoint;
const keysOf = async ({ apiKey }: Credentials) => (await call(jwksRecordsGet, { pathParameters: { apiKey } })).body;

describe("OK", () => {
  it("signs the number of records and the last hash, so that the served keys verify it", async () => {
    const as = await newLog();
    await addDocuments(as, "a", "b");
    await append(as);
    const jws = await checkpoint(as);
    const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(await keysOf(as)));
    expect(protectedHeader).toMatchObject({ alg: "ES256", typ: "activity-checkpoint" });
    const log = await chainOf(as);
    const { record, hash } = log.at(-1) ?? {};
    const { chain } = JSON.parse(record ?? "{}");
    const said = { chain, organizationId, sequence: 4, hash, at: new Date().toISOString() };
    expect(log).toHaveLength(4);
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(said);
    expect(await readCheckpoint(jws, await keysOf(as))).toEqual(said);
  });

  it("does not count what waits: it may still get another place", async () => {
    const as = await newLog();
    await append(as);
    await addDocuments(as, "a");
    expect(await readCheckpoint(await checkpoint(as), await keysOf(as))).toMatchObject({ sequence: 2 });
  });
});

describe("readCheckpoint", () => {
  it("reads no checkpoint of another workspace, no changed one, and no other record", async () => {
    const as = await newLog();
    await append(as);
    const jws = await checkpoint(as);
    const keys = await keysOf(as);
    const other = await newWorkspace();
    await signRecord(other.apiKey, checkpointType, {});
    const [head, body, signature] = jws.split(".") as [string, string, string];
    const said = JSON.parse(Buffer.from(body, "base64url").toString());
    const changed = Buffer.from(JSON.stringify({ ...said, sequence: 9 })).toString("base64url");
    expect(await readCheckpoint(jws, await keysOf(other))).toBeUndefined();
    expect(await readCheckpoint([head, changed, signature].join("."), keys)).toBeUndefined();
    expect(await readCheckpoint(await signRecord(as.apiKey, "erasure-receipt", said), keys)).toBeUndefined();
    expect(await readCheckpoint("", keys)).toBeUndefined();
  });

  it("reads none whose text was changed, although its bytes are the same", async () => {
    const as = await newLog();
    await append(as);
    const jws = await checkpoint(as);
    const keys = await keysOf(as);
    const last = String.fromCharCode(jws.charCodeAt(jws.length - 1) + 1);
    expect(await readCheckpoint(jws, keys)).toBeDefined();
    for (const text of [`${jws}==`, `${jws}\n`, ` ${jws}`, jws.slice(0, -1) + last])
      expect(await readCheckpoint(text, keys)).toBeUndefined();
  });
});

describe("FAILED_PRECONDITION", () => {
  it("a log without records: it has no chain yet", async () => {
    const as = await newLog();
    expectRefused(await call(activitiesCheckpointGet, { as, data: { organizationId } }), "FAILED_PRECONDITION");
  });
});

describe("INVALID_ARGUMENT", () => {
  it("an organization that is missing, or another workspace's", async () => {
    const as = await newLog();
    await append(as);
    await checkpoint(as);
    const bob = await newWorkspace();
    const of = (id: string) => call(activitiesCheckpointGet, { as: bob, data: { organizationId: id } });
    expectRefused(await of(organizationId), "INVALID_ARGUMENT", "organization");
    await must(organizationsAdd, { as: bob, data: { organizations: [{ organizationId }] } });
    expectRefused(await of(organizationId), "FAILED_PRECONDITION");
  });
});

it("reads the head and the organization in one request, and makes the key of a workspace that has none", async () => {
  const head = { pk: "W#w#O#o", sk: "ACTIVITIES", chain: "c", sequence: 1, hash: "0" };
  const aws = mockAws([...mocked.rows, head]);
  expect(await callSource(handler, activitiesCheckpointGet, { organizationId: "o" })).toBe(200);
  expect(aws.calls()).toEqual([
    `BatchGet W#w WORKSPACE, W#w TOKEN#${mocked.hash}`,
    "BatchGet W#w#O#o ACTIVITIES, W#w#O#o ORG",
    "Get W#w RECORDSKEY",
    expect.stringMatching(/^TransactWrite Put W#w RECORDSKEY if absent, Put W#w#RECORDSKEYS .* if absent$/),
    "GenerateDataKey",
    "Decrypt",
  ]);
  aws.restore();
});
