// A document with threads, open in the console of a local server.
import { expect } from "vitest";
import { newPage } from "../browser.ts";
import { post, type Server, serve } from "../local/serve.ts";
import { temporaryFolder } from "../local/start.ts";

export const place = { organizationId: "acme", documentId: "plan" };
const from = { userId: "alice" };
const annotation = (annotationId: string) => ({
  annotationId,
  status: "OPEN",
  from,
  comments: [{ commentId: `${annotationId}-comment`, text: `Text of ${annotationId}.`, from }],
});

/** The data of the reply. */
export async function call(server: Server, path: string, data: object) {
  const reply = await post(server, { path }, data);
  expect(JSON.stringify(reply)).not.toMatch(/"error"|"success":false/);
  return reply.result.data;
}

/** Each thread has this id, and one comment: "Text of " and the id. */
export async function documentPage(...threads: string[]) {
  const server = await serve(temporaryFolder());
  await call(server, "/v2/organizations/add", { organizations: [{ organizationId: "acme" }] });
  await call(server, "/v1/organizations/documents/add", {
    organizationId: "acme",
    documents: [{ documentId: "plan" }],
  });
  const comments = threads.map(annotation);
  await call(server, "/v2/organizations/documents/data/add", { ...place, location: { id: "p" }, comments });
  const { page } = await newPage();
  await page.goto(server.ready.console);
  await page.goto(`${server.ready.url}/console/documents?org=acme&document=plan`);
  await page.getByText("Text of ").first().waitFor();
  return { server, page };
}
