// A user without access cannot tell whether a document or an organization exists: not by the reply, and not by what
// the call reads, which takes its time.
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { type Attacked, newAttacked } from "../../../support/attacked.ts";
import { atAwsEdge } from "../../../support/aws/edge.ts";
import { newContainers } from "../../../support/exact/containers.ts";
import { byName, forUsers, onDocuments, requestsOn } from "../../../support/user-requests.ts";
import { callAs, tokenOf } from "../../../support/users.ts";

afterEach(() => void vi.restoreAllMocks());

interface Tried {
  body: unknown;
  /** The name of each request to the table, with the number of its keys. */
  reads: string[];
}

/** Makes the call in a new container, and again in it, which then knows the token. */
async function tried(token: string, name: string, data: object): Promise<Tried[]> {
  newContainers();
  const attempts: Tried[] = [];
  for (const _ of ["unknown", "known"]) {
    const reads: string[] = [];
    atAwsEdge((command, call) => {
      const [batch] = Object.values((command.input.RequestItems ?? {}) as Record<string, { Keys: object[] }>);
      reads.push(`${command.constructor.name} ${batch?.Keys.length ?? 1}`);
      return call();
    });
    const { body } = await callAs(token, byName(name), data);
    vi.restoreAllMocks();
    attempts.push({ body, reads });
  }
  return attempts;
}

const denied = { error: expect.objectContaining({ status: "PERMISSION_DENIED" }) };

let attacked: Attacked;
beforeAll(async () => {
  attacked = await newAttacked();
});

it("tries every endpoint that users may call", () => {
  expect(Object.keys(requestsOn("d")).sort()).toEqual(forUsers.map(({ name }) => name).sort());
});

it.each(onDocuments)("$name takes the same reads for a forbidden document as for a missing one", async ({ name }) => {
  const token = await tokenOf(attacked.as, `user of ${name}`);
  const on = (documentId: string, more = {}) => tried(token, name, { ...requestsOn(documentId)[name], ...more });
  const missing = await on("missing");
  expect(missing[0]?.body).toEqual(denied);
  expect(await on("hidden")).toEqual(missing);
  expect(await on("d", { organizationId: "p" })).toEqual(missing);
  expect(await on("d", { organizationId: "missing" })).toEqual(missing);
  // The grants of its folders decide too. They are read in the same requests.
  const deep = await on("deep");
  expect(deep.map(({ body }) => body)).toEqual(missing.map(({ body }) => body));
  expect(deep.map(({ reads }) => reads.length)).toEqual(missing.map(({ reads }) => reads.length));
});

it("permissions-get takes the same reads for what is forbidden as for what is missing", async () => {
  const token = await tokenOf(attacked.as, "asking");
  const on = async (ids: object) => {
    const attempts = await tried(token, "permissions-get", ids);
    return JSON.stringify(attempts).replaceAll(/"(?:hidden|d|f|p|missing\d?)"/g, '"x"');
  };
  const missing = await on({ documentIds: ["missing", "missing2"] });
  expect(missing).toContain("permission_denied");
  expect(await on({ documentIds: ["hidden", "missing"] })).toBe(missing);
  expect(await on({ folderIds: ["f"] })).toBe(await on({ folderIds: ["missing"] }));
  const elsewhere = { documentIds: ["d"], organizationId: "missing" };
  expect(await on({ ...elsewhere, organizationId: "p" })).toBe(await on(elsewhere));
});

it("live-open takes the same reads for what is forbidden as for what is missing", async () => {
  const token = await tokenOf(attacked.as, "listening");
  const on = (documentId: string, more = {}) => tried(token, "live-open", { documentId, ...more });
  const missing = await on("missing");
  expect(missing[0]?.body).toEqual(denied);
  expect(await on("hidden")).toEqual(missing);
  expect(await on("d", { organizationId: "p" })).toEqual(missing);
  expect(await on("d", { organizationId: "missing" })).toEqual(missing);
  // Nor whether pages listen to it.
  await callAs(attacked.bob, byName("live-open"), { documentId: "hidden" });
  expect(await on("hidden")).toEqual(missing);
});
