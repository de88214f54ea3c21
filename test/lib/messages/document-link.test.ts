import { expect, it } from "vitest";
import { documentsUpdate } from "../../../functions/content/documents-update.ts";
import { domainsAdd } from "../../../functions/workspace/domains-add.ts";
import { domainsDelete } from "../../../functions/workspace/domains-delete.ts";
import { linkOfDocument } from "../../../lib/messages/document-link.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { must } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;

it("follows the metadata and the allowed domains of the workspace as they are now", async () => {
  const as = await f.newOrganization();
  await f.addDocuments(as, undefined, "d");
  const linkNow = async () => {
    const ref = { workspace: as.apiKey, organizationId, documentId: "d" };
    return linkOfDocument(ref, (await Document.get(ref)) as Document.Document);
  };
  const set = (metadata: object) =>
    must(documentsUpdate, { as, data: { organizationId, documents: [{ documentId: "d", metadata }] } });

  expect(await linkNow()).toBeUndefined();
  await set({ url: "https://docs.example.com/d", colour: "green" });
  expect(await linkNow()).toBeUndefined();
  await must(domainsAdd, { as: await f.newOrganization(), data: { domains: ["docs.example.com"] } });
  expect(await linkNow()).toBeUndefined();
  await must(domainsAdd, { as, data: { domains: ["*.example.com", "other.example"] } });
  expect(await linkNow()).toBe("https://docs.example.com/d");
  await must(domainsDelete, { as, data: { domains: ["*.example.com"] } });
  expect(await linkNow()).toBeUndefined();
  await set({ url: "https://other.example/d" });
  expect(await linkNow()).toBe("https://other.example/d");
  await set({ url: null });
  expect(await linkNow()).toBeUndefined();
});
