// What is stored for nobody: entries that lead to nothing, and data of what was deleted. The workers must have ended.
import { expect } from "vitest";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { firstFolderUid } from "../../../lib/store/refs.ts";
import { itemsOf } from "../../support/scan.ts";
import type { Service } from "../../support/service-in-memory.ts";
import { remains } from "../readings.ts";
import { isThere, type State } from "./state.ts";

const uidOf = ({ folderUid, folderId }: Item) => (folderUid ?? firstFolderUid(folderId as string)) as string;

/** What follows this mark in the partition of an item. */
const partOf = ({ pk }: Item, mark: string) => pk.split(`#${mark}#`)[1] as string;

/** Expects that each entry of a list leads to what exists, and that all data is of what exists. */
export async function expectNoOrphans({ as }: Service, state: State): Promise<void> {
  const items = await itemsOf(as.apiKey);
  const of = (entity: string) => items.filter((item) => item.entity === entity);
  const exists = ({ createdAt }: Item) => createdAt !== undefined;
  const folders = of("folder");
  const documents = of("document").filter(exists);
  const existing = [...folders.filter(exists), ...documents];
  const ancestorOf = (item: Item) =>
    ((item.ancestorUids as string[] | undefined)?.[0] ??
      (item.ancestors as string[] | undefined)?.map((id) => firstFolderUid(id))[0] ??
      "") as string;
  const expected = existing.map((item) => `${ancestorOf(item)} ${item.documentId ?? item.folderId}`);
  const children = of("folder-child").map((item) => `${partOf(item, "C")} ${item.childId}`);
  expect(children.sort(), "entries of folders").toEqual(expected.sort());
  expect(of("document-locator"), "locators").toHaveLength(isThere(state) ? documents.length : 0);
  const lives = new Set(folders.map(uidOf));
  const ids = new Set(folders.map(({ folderId }) => folderId));
  // A grant can name the first folder of an id before that exists. The internal id of this folder is its id.
  const isFormer = (uid: string) => !lives.has(uid) && (uid.startsWith("%F") || ids.has(uid));
  const grants = of("folder-grant").map((item) => `${item.userId} ${uidOf(item)}`);
  const grantees = of("folder-grantee").map((item) => `${item.userId} ${partOf(item, "FG")}`);
  expect(grantees.sort(), "lists of grants").toEqual(grants.sort());
  expect(of("folder-grant").map(uidOf).filter(isFormer), "grants on former folders").toEqual([]);
  const groups = new Set(of("user-group").map(({ groupUid }) => groupUid));
  const members = of("group-member").filter(({ pk }) => ![...groups].some((uid) => pk.includes(String(uid))));
  expect(members, "members of former groups").toEqual([]);
  expect(remains(as.apiKey, items).orphans, "data of former documents").toEqual([]);
}

/** Deletes the organization, and expects that nothing of it is left. */
export async function expectNothingLeft(service: Service): Promise<void> {
  await service.call(organizationsDelete, {});
  await service.drain();
  const items = await itemsOf(service.as.apiKey);
  const left = items.filter(({ pk }) => /#[OX]#|#DOC#/.test(pk) && !pk.startsWith("JOB#"));
  expect(left.map(({ pk, sk }) => `${pk} ${sk}`)).toEqual([]);
}
