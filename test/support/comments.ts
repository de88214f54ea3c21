// Fixtures of the tests of comment annotations.
import { expect } from "vitest";
import { commentannotationsUpdate } from "../../functions/comments/commentannotations-update.ts";
import { commentsAdd } from "../../functions/comments/comments-add.ts";
import { commentsDelete } from "../../functions/comments/comments-delete.ts";
import { commentsUpdate } from "../../functions/comments/comments-update.ts";
import { documentsDataDelete } from "../../functions/comments/documents-data-delete.ts";
import { documentsDataGet } from "../../functions/comments/documents-data-get.ts";
import type { Item } from "../../lib/dynamodb/key.ts";
import type { StoredFeature } from "../../lib/store/features/feature.ts";
import { entryOf, featureEntryEntity, featureIdEntity } from "../../lib/store/features/feature-list.ts";
import { participationEntity } from "../../lib/store/features/participation.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, call, must, type Reply } from "./call.ts";
import { documentId } from "./feature-data.ts";
import { jobsOf } from "./jobs.ts";
import { itemsOf } from "./scan.ts";
import { organizationId } from "./workspace.ts";

const ref = { organizationId, documentId };
const annotationId = "x";

export const get = async (as: Credentials, kind = "comments", more: object = {}) =>
  (await must(documentsDataGet, { as, data: { ...ref, kind, pageSize: 100, ...more } })).items;

/** The annotation `x`; undefined: there is none. */
export const annotationX = async (as: Credentials) => (await get(as, "comments", { ids: [annotationId] }))[0];

export const remove = (as: Credentials, ids: string[], more: object = {}): Promise<Reply> =>
  call(documentsDataDelete, { as, data: { ...ref, kind: "comments", ids, ...more } });
export const updateX = (as: Credentials, update: object, more: object = {}): Promise<Reply> =>
  call(commentannotationsUpdate, { as, data: { ...ref, annotationIds: [annotationId], update, ...more } });
export const addTo = (as: Credentials, comments: object[], more: object = {}): Promise<Reply> =>
  call(commentsAdd, { as, data: { ...ref, annotationId, comments, ...more } });
export const updateComment = (as: Credentials, commentId: string, update: object, more: object = {}): Promise<Reply> =>
  call(commentsUpdate, { as, data: { ...ref, annotationId, commentId, ...update, ...more } });
export const removeFrom = (as: Credentials, commentIds: string[], more: object = {}): Promise<Reply> =>
  call(commentsDelete, { as, data: { ...ref, annotationId, commentIds, ...more } });

export const wantEvents = ({ apiKey: workspace }: Credentials) =>
  Setting.update({ workspace }, "webhooks", { wantedEvents: ["*"] });

/** The events of feature data in the order of the calls, each as its type and data. */
export async function eventsOf(as: Credentials): Promise<[string, object][]> {
  const jobs = await jobsOf(as, "fanout");
  const stamped = jobs.flatMap(({ payload }) => {
    const { createdAt, first, events } = payload as unknown as {
      createdAt: string;
      first: number;
      events: { type: string; data: object }[];
    };
    return events.map((event, index) => ({ ...event, place: [createdAt, first + index] as const }));
  });
  const sorted = stamped.toSorted((one, other) =>
    one.place[0] === other.place[0] ? one.place[1] - other.place[1] : one.place[0] < other.place[0] ? -1 : 1,
  );
  return sorted.filter(({ type }) => /^(?:comment|reaction|recorder)/.test(type)).map(({ type, data }) => [type, data]);
}

/** Every item of feature data has its entry, its id and its participations, and there are no others. */
export async function expectConsistent(as: Credentials): Promise<void> {
  const items = await itemsOf(as.apiKey);
  const of = (entity: string) => items.filter((item) => item.entity === entity);
  const workspace = as.apiKey;
  const features = of("feature") as unknown as (StoredFeature & Item)[];
  const withoutKey = ({ pk: _pk, sk: _sk, entity: _entity, ...rest }: Item) => rest;
  const keyOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`;
  const placeOf = ({ locationUid, position }: StoredFeature) => ({ locationUid, position });
  const sorted = (keys: string[]) => keys.toSorted();
  const entries = new Map(of("feature-entry").map((item) => [keyOf(item), withoutKey(item)]));
  expect(entries).toEqual(
    new Map(features.map((item) => [keyOf(featureEntryEntity.key({ ...item, workspace })), entryOf(item)])),
  );
  const ids = new Map(of("feature-id").map((item) => [keyOf(item), placeOf(item as unknown as StoredFeature)]));
  expect(ids).toEqual(
    new Map(features.map((item) => [keyOf(featureIdEntity.key({ ...item, workspace })), placeOf(item)])),
  );
  const participations = features.flatMap((item) =>
    item.participants.map((userId) => keyOf(participationEntity.key({ ...item, workspace, userId }))),
  );
  expect(sorted(of("participation").map(keyOf))).toEqual(sorted(participations));
}
