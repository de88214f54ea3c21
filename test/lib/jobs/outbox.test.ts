import { describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/content/documents-add.ts";
import { documentsDataAdd } from "../../../functions/content/documents-data-add.ts";
import { documentsDelete } from "../../../functions/content/documents-delete.ts";
import { foldersAdd } from "../../../functions/content/folders-add.ts";
import { participantsMax } from "../../../lib/schema/features.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, must } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import { newOrganization, organizationId } from "../../support/workspace.ts";

async function wantingEvents(...wantedEvents: string[]): Promise<Credentials> {
  const as = await newOrganization();
  await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents });
  return as;
}

const outbox = (as: Credentials) => jobsOf(as, "fanout");
const eventsOf = async (as: Credentials) => (await outbox(as)).flatMap(({ payload }) => payload.events as object[]);

const add = (as: Credentials, ...documents: object[]) =>
  must(documentsAdd, { as, data: { organizationId, documents } });

describe("the outbox", () => {
  it("is not written when the workspace wants none of the events", async () => {
    for (const as of [await newOrganization(), await wantingEvents("document.delete", "user.add")]) {
      await add(as, { documentId: "d" });
      expect(await outbox(as)).toEqual([]);
    }
  });

  it("has the wanted events of the units that are written, and no others", async () => {
    const as = await wantingEvents("document.add", "document.delete");
    await add(as, { documentId: "d", documentName: "D" });
    await add(as, { documentId: "d" }, { documentId: "e" });
    const data = { organizationId, documentIds: ["d", "missing"] };
    await must(documentsDelete, { as, data });
    await must(foldersAdd, { as, data: { organizationId, folders: [{ folderId: "f" }] } });
    const common = { workspace: as.apiKey, organizationId };
    expect(await eventsOf(as)).toHaveLength(3);
    expect(await eventsOf(as)).toEqual(
      expect.arrayContaining([
        { ...common, type: "document.add", documentId: "d", data: { documentId: "d", documentName: "D" } },
        { ...common, type: "document.add", documentId: "e", data: { documentId: "e" } },
        { ...common, type: "document.delete", documentId: "d", data: { documentId: "d" } },
      ]),
    );
  });

  it("has every event of a large call in at most eight items", async () => {
    const as = await wantingEvents("document.add");
    await add(as, ...Array.from({ length: 200 }, (_, index) => ({ documentId: `d${index}` })));
    expect(await eventsOf(as)).toHaveLength(200);
    expect((await outbox(as)).length).toBeLessThanOrEqual(8);
  });

  it("accepts events of any size that a request allows", async () => {
    const as = await wantingEvents("document.add");
    const documentName = "語".repeat(21_000);
    await add(as, ...Array.from({ length: 60 }, (_, index) => ({ documentId: `d${index}`, documentName })));
    expect(await eventsOf(as)).toHaveLength(60);
  });

  it("has every event of the largest annotation, in one transaction with its participants", async () => {
    const as = await wantingEvents("*");
    const id = (index: number) => `${index}${"é".repeat(250)}`;
    await add(as, { documentId: id(0) });
    const comments = Array.from({ length: 200 }, (_, index) => ({
      commentId: id(index),
      from: { userId: id(index % participantsMax) },
    }));
    const annotation = { annotationId: id(0), from: { userId: id(0) }, comments };
    const data = { organizationId, documentId: id(0), location: { id: id(0) }, comments: [annotation] };
    await must(documentsDataAdd, { as, data });
    const types = (await eventsOf(as)).map((event) => (event as { type: string }).type);
    expect(types.filter((type) => type === "comment.add")).toHaveLength(200);
  });
});
