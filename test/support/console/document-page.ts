// Documents with threads in the console of the file's server. Each has an organization of its own.
import { expect } from "vitest";
import type { Post } from "../../../infra/local/example-data.ts";
import type { OpenedPage } from "../browser.ts";
import { type Opened, settled } from "./opened.ts";

const from = { userId: "alice" };
const annotation = (annotationId: string) => ({
  annotationId,
  status: "OPEN",
  from,
  comments: [{ commentId: `${annotationId}-comment`, text: `Text of ${annotationId}.`, from }],
});

export interface DocumentPage extends OpenedPage {
  place: { organizationId: string; documentId: string };
  post: Post;
}

/** Opens a document. Each thread has this id, and one comment: "Text of " and the id. The page's clock can be moved. */
export function documentsOf({ open, post }: Opened): (...threads: string[]) => Promise<DocumentPage> {
  let count = 0;
  const call: Post = async <T>(path: string, data: object) => {
    const reply = await post<T>(path, data);
    expect(JSON.stringify(reply)).not.toMatch(/"success":false/);
    return reply;
  };
  return async (...threads) => {
    const organizationId = `acme-${++count}`;
    const place = { organizationId, documentId: "plan" };
    await call("/v2/organizations/add", { organizations: [{ organizationId }] });
    await call("/v1/organizations/documents/add", { organizationId, documents: [{ documentId: "plan" }] });
    const comments = threads.map(annotation);
    await call("/v2/organizations/documents/data/add", { ...place, location: { id: "p" }, comments });
    const path = `/console/documents?org=${organizationId}&document=plan`;
    const opened = await open(path, { hasClock: true });
    await opened.page.getByText("Text of ").first().waitFor();
    await settled(opened.page);
    return { ...opened, place, post: call };
  };
}
