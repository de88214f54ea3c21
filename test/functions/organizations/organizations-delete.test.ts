import { describe, expect, it, vi } from "vitest";
import { jobsStatus } from "../../../functions/jobs/jobs-status.ts";
import { locationsDataDelete } from "../../../functions/locations/locations-data-delete.ts";
import { judgmentsAdd } from "../../../functions/memory/judgments-add.ts";
import { judgmentsGet } from "../../../functions/memory/judgments-get.ts";
import { memoryAsk } from "../../../functions/memory/memory-ask.ts";
import { memorySearch } from "../../../functions/memory/memory-search.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { handler, organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { organizationsGet } from "../../../functions/organizations/organizations-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { endpoints } from "../../../infra/deployables.ts";
import { organizationEntity } from "../../../lib/store/content/organization-life.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, contextOf, eventOf, must, newWorkspace } from "../../support/call.ts";
import { furnishedWorkspace } from "../../support/contract/furnished-workspace.ts";
import { dataOf, named } from "../../support/contract/requests.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { runPurges } from "../../support/run-purges.ts";
import { itemsOf } from "../../support/scan.ts";
import * as f from "../../support/workspace.ts";

fakeDates();

const remove = async (as: Credentials, organizationId = "o"): Promise<string> =>
  (await must(organizationsDelete, { as, data: { organizationId } })).jobId;
const add = (as: Credentials, ...ids: string[]) =>
  call(organizationsAdd, { as, data: { organizations: ids.map((organizationId) => ({ organizationId })) } });
const idsOf = async (as: Credentials, data: object = {}) =>
  (await must(organizationsGet, { as, data })).organizations.map(
    (each: { organizationId: string }) => each.organizationId,
  );
const statusOf = (as: Credentials, jobId: string) => must(jobsStatus, { as, data: { jobId } });
const judge = (as: Credentials, recordId: string, organizationId?: string) =>
  call(judgmentsAdd, {
    as,
    data: {
      judgments: [
        {
          recordId,
          decision: "rejected",
          reasoning: "The discount is unapproved.",
          actionUser: { userId: "u" },
          organizationId,
          createdAt: "2026-01-31T12:00:00Z",
        },
      ],
    },
  });
const found = async (as: Credentials, data: object = {}) =>
  (await must(memorySearch, { as, data: { query: "unapproved discount", ...data } })).judgments.map(
    ({ recordId }: { recordId: string }) => recordId,
  );

describe("OK", () => {
  it("hides the organization at once, and returns a job that jobs/status shows until it is done", async () => {
    const as = await f.newOrganization();
    await add(as, "kept");
    const jobId = await remove(as);
    expect(await idsOf(as)).toEqual(["kept"]);
    expect(await idsOf(as, { organizationIds: ["o", "kept"] })).toEqual(["kept"]);
    expect(await statusOf(as, jobId)).toEqual({
      jobId,
      kind: "organization-deletion",
      status: "pending",
      progress: { done: 0 },
    });
    await runPurges(as);
    const { status, progress } = await statusOf(as, jobId);
    expect([status, progress.done > 10, progress.done === progress.total]).toEqual(["completed", true, true]);
    expect(await idsOf(as)).toEqual(["kept"]);
  });

  it("lets the id be added again when the job is done, and starts empty", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    await must(usersAdd, { as, data: { organizationId: "o", users: [{ userId: "u" }] } });
    await remove(as);
    await runPurges(as);
    expect((await add(as, "o")).data).toMatchObject({ o: { success: true } });
    expect(await f.onWhole(as, "u")).toMatchObject({ errorCode: "permission_denied" });
    await f.addDocuments(as, undefined, "d");
    await runPurges(as);
    expect(await idsOf(as)).toEqual(["o"]);
  });

  it("deletes an organization with any id", async () => {
    const as = await newWorkspace();
    await add(as, ...f.oddIds);
    for (const id of f.oddIds) await remove(as, id);
    expect(await idsOf(as)).toEqual([]);
    await runPurges(as);
    expect((await itemsOf(as.apiKey)).filter(({ pk }) => /#(?:O|ORGS|JD)(?:#|$)/.test(pk))).toEqual([]);
  });

  it("is done once when concurrent calls delete it", async () => {
    for (let round = 0; round < 5; round++) {
      const as = await f.newOrganization();
      const data = { organizationId: "o" };
      const replies = await Promise.all([1, 2, 3, 4].map(() => call(organizationsDelete, { as, data })));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
      expect(await jobsOf(as, "purge")).toHaveLength(1);
    }
  });

  it("returns the job of the first try to a repeat with its Idempotency-Key, and deletes no later life", async () => {
    const as = await f.newOrganization();
    const keyed = { as, data: { organizationId: "o" }, headers: { "idempotency-key": "k" } };
    const source = () =>
      handler(eventOf(organizationsDelete, keyed) as never, contextOf("organizations-delete") as never);
    let isCut = false;
    interceptStore(
      () => {},
      ({ constructor: { name }, input }) => {
        const isDeletion = name === "TransactWriteCommand" && JSON.stringify(input).includes("deletionJobId");
        if (!isDeletion || isCut) return;
        isCut = true;
        throw new Error("The process died.");
      },
    );
    expect((await source()).statusCode).toBe(500);
    vi.restoreAllMocks();
    const [job] = await jobsOf(as, "purge");
    await runPurges(as);
    await add(as, "o");
    expect((await must(organizationsDelete, keyed)).jobId).toBe(job?.id);
    expect(await idsOf(as)).toEqual(["o"]);
    expect(await jobsOf(as, "purge")).toEqual([]);
  });
});

/** Calls that would create the organization again, or something in it. */
const refused = new Set(["judgments-add", "organizations-add", "permissions-add", "token-generate"]);

describe("while the job runs", () => {
  const naming = endpoints.filter((endpoint) => JSON.stringify(dataOfMaybe(endpoint)).includes('"acme"'));

  it.each(naming.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s replies as for an organization that does not exist, and writes nothing",
    async (name, endpoint) => {
      const as = await furnishedWorkspace(endpoint);
      const jobId = await remove(as, "acme");
      const before = await contentOf(as);
      const text = JSON.stringify(dataOf(endpoint));
      const reply = await call(endpoint, { as, data: JSON.parse(text) });
      expect(await contentOf(as)).toEqual(before);
      if (refused.has(name)) {
        expect(reply).toMatchObject({ status: 409, error: { status: "ABORTED" } });
        expect(reply.error?.message).toContain(jobId);
        return;
      }
      const missing = await call(endpoint, { as, data: JSON.parse(text.replaceAll('"acme"', '"missing"')) });
      expect(shown(reply)).toEqual(shown(missing).replaceAll("missing", "acme"));
    },
  );

  it.each([
    ["users-add", { users: [{ userId: "u" }] }],
    ["folders-add", { folders: [{ folderId: "f" }] }],
    ["notifications-add", dataOf(named("notifications-add"))],
  ])("%s with createOrganization is ABORTED, names the job, and creates nothing", async (name, more) => {
    const as = await f.newOrganization();
    const jobId = await remove(as);
    const before = await contentOf(as);
    const data = { ...more, organizationId: "o", createOrganization: true };
    const { error } = await call(named(name), { as, data });
    expect([error?.status, error?.message.includes(jobId)]).toEqual(["ABORTED", true]);
    expect(await contentOf(as)).toEqual(before);
  });

  it("organizations/add creates none of several when one of them is being deleted", async () => {
    const as = await f.newOrganization();
    await remove(as);
    expect((await add(as, "a", "o", "b")).error?.status).toBe("ABORTED");
    expect(await idsOf(as)).toEqual([]);
  });

  it("its documents are in no locator: a call without an organization finds that of another one", async () => {
    const as = await f.newOrganization();
    await add(as, "p");
    for (const organizationId of ["o", "p"]) {
      await must(named("documents-add"), { as, data: { organizationId, documents: [{ documentId: "d" }] } });
    }
    const data = { ...as, documentId: "d", location: { id: "l" } };
    expect((await call(locationsDataDelete, { as, data })).error?.status).toBe("INVALID_ARGUMENT");
    await remove(as, "o");
    expect((await call(locationsDataDelete, { as, data })).status).toBe(200);
  });

  it("its judgments are in no search of the workspace, and their months start anew in its next life", async () => {
    const as = await f.newOrganization();
    await judge(as, "of-o", "o");
    await judge(as, "of-workspace");
    await judge(as, "of-p", "p");
    expect((await found(as)).toSorted()).toEqual(["of-o", "of-p", "of-workspace"]);
    await remove(as);
    expect((await found(as)).toSorted()).toEqual(["of-p", "of-workspace"]);
    expect(await found(as, { organizationId: "o" })).toEqual([]);
    const byId = await must(judgmentsGet, { as, data: { recordIds: ["of-o", "of-p"] } });
    expect(byId.judgments).toMatchObject([{ recordId: "of-p" }]);
    expect((await judge(as, "again", "o")).error?.status).toBe("ABORTED");
    await runPurges(as);
    await add(as, "o");
    await judge(as, "of-next", "o");
    expect((await found(as)).toSorted()).toEqual(["of-next", "of-p", "of-workspace"]);
    expect(await found(as, { organizationId: "o" })).toEqual(["of-next"]);
    const question = { question: "?", organizationId: "o" };
    expect((await call(memoryAsk, { as, data: question })).status).not.toBe(500);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a missing organization, one of another workspace, and one that is being deleted", async () => {
    const as = await f.newOrganization();
    const data = { organizationId: "o" };
    const isMissing = async (by: Credentials) => (await call(organizationsDelete, { as: by, data })).error?.status;
    expect(await isMissing(await newWorkspace())).toBe("INVALID_ARGUMENT");
    expect(await idsOf(as)).toEqual(["o"]);
    await remove(as);
    expect(await isMissing(as)).toBe("INVALID_ARGUMENT");
  });

  it.each([
    ["an empty request", {}, ["organizationId"]],
    ["a field that it does not know", { organizationId: "o", documentId: "d" }, ["documentId"]],
  ])("is returned for %s, and nothing is deleted", async (_what, data, paths) => {
    const as = await f.newOrganization();
    expect(await f.issuesOf(organizationsDelete, as, data)).toEqual(paths);
    expect(await idsOf(as)).toEqual(["o"]);
  });
});

describe("AWS calls", () => {
  it("makes one read, one transaction with its job, and one send, whatever the organization has", async () => {
    const users = Array.from({ length: 1_000 }, (_, index) => f.mockedUser(`u${index}`));
    for (const some of [users.slice(0, 10), users]) {
      const life = { organizationUid: "x", revision: 3, organizationId: "o", createdAt: "" };
      const row = organizationEntity.put(f.mockedOrganization, life).put;
      const rows = f.mocked.rows.filter(({ entity }) => entity !== organizationEntity.name);
      const aws = mockAws([...rows, row, ...some]);
      expect(await f.callSource(handler, organizationsDelete, { organizationId: "o" })).toBe(200);
      expect(aws.calls().slice(-3)).toEqual([
        expect.stringMatching(/^BatchGet (?:W#w SETTING#webhooks, )?W#w#O#o ORG, JOB#\S+ JOB$/),
        expect.stringMatching(
          /^TransactWrite Update W#w#O#o ORG if \{organizationUid & revision & no deletionJobId\}, Put W#w#JD o#!, Put JOB#\S+ JOB if absent$/,
        ),
        "SendMessageBatch",
      ]);
      aws.restore();
    }
  });
});

/** The request of the common tests, if the endpoint has one. */
function dataOfMaybe(endpoint: (typeof endpoints)[number]): object {
  return endpoint.credentials === "workspace" ? dataOf(endpoint) : {};
}

/** The items of the workspace, without what every call writes and what only counts. */
async function contentOf({ apiKey }: Credentials) {
  const items = await itemsOf(apiKey);
  const content = items.filter(
    ({ entity }) => !/^(?:call-count|idempotent-call|signing-key|waiting-slot)/.test(String(entity)),
  );
  return content.map(({ pk, sk, entity }) => (entity === "job" ? "a job" : `${pk} ${sk}`)).toSorted();
}

const shown = ({ status, data, error }: { status: number; data?: unknown; error?: unknown }) =>
  JSON.stringify([status, data, error]);
