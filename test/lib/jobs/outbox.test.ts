import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { foldersAdd } from "../../../functions/folders/folders-add.ts";
import { inCall, newCall } from "../../../lib/call.ts";
import { type DomainEvent, outboxOf } from "../../../lib/jobs/outbox.ts";
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

  it("cuts a name that would make an event too large as JSON, and has its hash", async () => {
    const as = await wantingEvents("document.add");
    for (const [documentId, character] of Object.entries({ control: "\u0001", quote: '"' }))
      await add(as, { documentId, documentName: character.repeat(65_536) });
    const told = (await eventsOf(as)) as { data: { documentId: string } }[];
    expect(Object.fromEntries(told.map(({ data }) => [data.documentId, data]))).toMatchObject(
      Object.fromEntries(
        Object.entries({ control: "\u0001", quote: '"' }).map(([documentId, character]) => {
          const cut = { documentName: hash("sha256", character.repeat(65_536), "hex") };
          return [documentId, { documentName: `${character.repeat(1_000)}…`, cut }];
        }),
      ),
    );
  });

  it("refuses an event that could exceed an item", async () => {
    const webhooks = async () => Setting.settingOf("webhooks", { wantedEvents: ["*"], version: 1 });
    const record = { ...newCall("r"), webhooks };
    const event = { type: "document.add", workspace: "w", organizationId, data: { names: ["x".repeat(100_000)] } };
    const refused = inCall(record, () => outboxOf([event as DomainEvent], { createdAt: "now", first: 0 }));
    await expect(refused).rejects.toThrow(/^An event document.add has 100\d{3} characters\.$/);
  });

  it("lets the reply wait for the latest of its times, whichever is written last", async () => {
    const webhooks = async () =>
      Setting.settingOf("webhooks", { wantedEvents: [], version: 1, activityEvents: ["document.add"] });
    const record = { ...newCall("r"), webhooks };
    const event: DomainEvent = { type: "document.add", workspace: "w", organizationId, data: {} };
    const times = ["2026-01-01T00:00:00.010Z", "2026-01-01T00:00:00.000Z"];
    await inCall(record, async () => {
      for (const createdAt of times) await outboxOf([event], { createdAt, first: 0 });
    });
    expect(record.replyFrom).toBe(Date.parse("2026-01-01T00:00:00.031Z"));
  });

  it("has every event of the largest annotation, in one transaction with its participants", async () => {
    const as = await wantingEvents("*");
    const id = (index: number) => `${index}${"é".repeat(250)}`;
    await add(as, { documentId: id(0) });
    const addWith = (first: number) => {
      const comments = Array.from({ length: 200 }, (_, index) => ({
        commentId: id(first + index),
        from: { userId: id(first + (index % participantsMax)) },
      }));
      const annotation = { annotationId: id(0), from: { userId: id(first) }, comments };
      const data = { organizationId, documentId: id(0), location: { id: id(0) }, comments: [annotation] };
      return must(documentsDataAdd, { as, data });
    };
    const count = async () =>
      (await eventsOf(as)).filter((event) => (event as { type: string }).type === "comment.add").length;
    await addWith(0);
    expect(await count()).toBe(200);
    // Then all participants and all replies are others.
    await addWith(200);
    expect(await count()).toBe(400);
  });
});
