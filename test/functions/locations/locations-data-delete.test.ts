import { describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { handler, locationsDataDelete } from "../../../functions/locations/locations-data-delete.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { locationEntity } from "../../../lib/store/content/location.ts";
import { featureEntity } from "../../../lib/store/features/feature.ts";
import type { DocumentUid, LocationUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import {
  add,
  callsOf,
  documentId,
  exportOf,
  newDocument,
  placesOf,
  reaction,
  reactions,
  remove,
  update,
} from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { storedOf } from "../../support/refusal.ts";
import { deliver } from "../../support/run-worker.ts";
import { issuesOf, keyText, mocked, organizationId } from "../../support/workspace.ts";

const [a, b] = [{ id: "a" }, { id: "b" }];

fakeDates();

describe("OK", () => {
  it("deletes all feature data of the location immediately, and of no other location", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: reactions(3), comments: [{ annotationId: "c", from: { userId: "u" } }] });
    await add(as, b, { reactions: [reaction("rb")] });
    const reply = await remove(as, { id: "a", locationName: "any name" });
    expect(reply.body).toEqual({ result: { status: "success", message: "Location data deleted.", data: null } });
    expect(await exportOf(as)).toMatchObject({ comments: [], reactions: [{ reactionId: "rb" }] });
  });

  it("returns no old data of a location that is added again, and the purge keeps its new data", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: [reaction("old")] });
    await remove(as, a);
    await add(as, a, { reactions: [reaction("new")] });
    const jobs = await jobsOf(as, "purge");
    later(600);
    expect(
      await deliver(
        purge,
        jobs.map(({ id }) => id),
      ),
    ).toEqual([]);
    expect(await placesOf(as)).toEqual({ new: a });
    expect(Object.keys(await storedOf(as)).filter((name) => name.includes("old"))).toEqual([]);
  });

  it("deletes the data of merged locations too, and the purge leaves no feature data", async () => {
    const as = await newDocument();
    const untouched = Object.keys(await storedOf(as));
    for (const id of ["a", "b", "c", "e"]) await add(as, { id }, { reactions: [reaction(id)] });
    for (const [from, to] of [
      ["a", "b"],
      ["c", "e"],
      ["b", "e"],
    ]) {
      await update(as, { id: from }, { id: to }, { merge: true });
    }
    expect(Object.keys(await placesOf(as))).toHaveLength(4);
    await remove(as, { id: "e" });
    expect(await placesOf(as)).toEqual({});
    later(600);
    await deliver(
      purge,
      (await jobsOf(as, "purge")).map(({ id }) => id),
    );
    const left = Object.keys(await storedOf(as)).filter((name) => !name.startsWith("JOB#"));
    expect(left.filter((name) => !name.endsWith(" OWNER")).sort()).toEqual(untouched.sort());
  });

  it("succeeds for a missing location, document or organization, and for one of another workspace, and says so", async () => {
    const [as, other] = [await newDocument(), await newWorkspace()];
    await add(as, a, { reactions: [reaction("r")] });
    const says = (what: string) => ({
      status: "success",
      message: `${what} does not exist: nothing was deleted.`,
      data: null,
    });
    for (const more of [
      { documentId: "no" },
      { organizationId: "no" },
      { documentId: "no", organizationId: undefined },
    ])
      expect((await remove(as, a, more)).body.result).toEqual(says("The document"));
    expect((await remove(as, b)).body.result).toEqual(says("The location"));
    for (const more of [{}, { organizationId: undefined }])
      expect((await remove(other, a, more)).body.result).toEqual(says("The document"));
    expect(await placesOf(as)).toEqual({ r: a });
    expect(await jobsOf(as, "purge")).toEqual([]);
  });

  it("needs no organizationId when one organization has the document, and writes an event", async () => {
    const as = await newDocument();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["location.data_delete"] });
    await add(as, a, { reactions: [reaction("r")] });
    await remove(as, a, { organizationId: undefined });
    await remove(as, a);
    expect(await placesOf(as)).toEqual({});
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events as object[]);
    expect(events).toMatchObject([{ type: "location.data_delete", organizationId, documentId, data: { location: a } }]);
  });

  it("deletes a location completely or not at all when a merge is concurrent", async () => {
    const as = await newDocument();
    for (let round = 0; round < 4; round++) {
      await add(as, a, { reactions: [reaction("ra")] });
      await add(as, b, { reactions: [reaction("rb")] });
      await Promise.all([update(as, a, b, { merge: true }), remove(as, round % 2 ? a : b)]);
      const places = Object.entries(await placesOf(as)).map(
        ([id, { id: at }]: [string, { id?: string }]) => `${id} ${at}`,
      );
      // The deletion is before or after the merge. After the merge, `a` does not exist.
      const outcomes = round % 2 ? [["ra b", "rb b"], ["rb b"]] : [[], ["ra b"]];
      expect(outcomes).toContainEqual(places.sort());
      await remove(as, b);
      expect(await placesOf(as)).toEqual({});
    }
  });
});

describe("PERMISSION_DENIED", () => {
  it("is returned for invalid credentials in the data or another workspace's, and nothing is changed", async () => {
    const [as, other] = [await newDocument(), await newWorkspace()];
    await add(as, a, { reactions: [reaction("r")] });
    for (const more of [{ apiKey: "x" }, { apiKey: other.apiKey }, { authToken: "x" }, { authToken: other.authToken }])
      expect((await remove(as, a, more)).error?.status).toBe("PERMISSION_DENIED");
    expect((await remove(as, a, other)).error?.status).toBe("PERMISSION_DENIED");
    expect(await placesOf(as)).toEqual({ r: a });
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a location without id and name", async () => {
    const as = await newWorkspace();
    const data = { apiKey: "{apiKey}", authToken: "{authToken}", organizationId, documentId };
    expect(await issuesOf(locationsDataDelete, as, { ...data, location: {} })).toEqual(["location"]);
    expect(await issuesOf(locationsDataDelete, as, data)).toEqual(["location"]);
  });

  it("is returned for a missing organizationId when several organizations have the document", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: [reaction("r")] });
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "o2" }] } });
    await must(documentsAdd, { as, data: { organizationId: "o2", documents: [{ documentId }] } });
    const { error } = await remove(as, a, { organizationId: undefined });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["organizationId"] }] } });
    await remove(as, a, { organizationId: "o2" });
    expect(await placesOf(as)).toEqual({ r: a });
  });

  it("names each missing field", async () => {
    const { error } = await call(locationsDataDelete, { as: await newWorkspace() });
    expect(error?.details?.issues).toHaveLength(4);
  });
});

describe("AWS calls", () => {
  it.each([10, 1_000])(
    "makes two reads, one transaction with its job, and one send for a location with %i items",
    async (count) => {
      const ref = { workspace: "w", documentUid: "x" as DocumentUid, locationUid: "l" as LocationUid };
      const items = Array.from({ length: count }, (_, id) =>
        featureEntity.key({ ...ref, kind: "comments", id: String(id) }),
      );
      const pointer = locationEntity.put({ ...ref, identity: "id:a" }, { locationUid: ref.locationUid, size: 3 }).put;
      const data = { ...mocked.as, organizationId, documentId, location: a };
      const table = [...mocked.rows, mocked.document, pointer, ...items];
      const { status, calls } = await callsOf(handler, locationsDataDelete, data, table);
      expect(status).toBe(200);
      expect(calls).toEqual([
        `BatchGet W#w SETTING#webhooks, ${keyText.document("d")}, W#w#O#o ORG`,
        "Get W#w#X#x LOCATION#id:a",
        expect.stringMatching(
          /^TransactWrite Delete W#w#X#x LOCATION#id:a if \{locationUid\}, Delete W#w#X#x L#l, Put JOB#\S+ JOB if absent$/,
        ),
        "SendMessageBatch",
      ]);
    },
  );
});
