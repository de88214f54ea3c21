import { expect, it } from "vitest";
import { documentId, organizationId, posterTo } from "../../../infra/local/example-data.ts";
import { serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

/** Resolves when the server has printed a line that begins like this. */
async function noteOf({ process: { stderr } }: Awaited<ReturnType<typeof serve>>, start: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stderr?.on("data", (chunk) => {
      text += chunk;
      const line = text.split("\n").find((each) => each.startsWith(start));
      if (line !== undefined) resolve(line);
    });
  });
}

it("--example adds a team with a document and its comments, once", async () => {
  const folder = temporaryFolder();
  const first = await serve(folder, "--example");
  expect(await noteOf(first, "Example ")).toBe("Example     the organization acme is added");
  const where = { organizationId, documentId, kind: "comments" };
  const { items } = await posterTo(first.ready)<{ items: object[] }>("/v2/organizations/documents/data/get", where);
  expect(items).toHaveLength(2);
  expect(await stopped(first, "SIGTERM")).toBe(0);

  const second = await serve(folder, "--example");
  expect(await noteOf(second, "Example ")).toBe("Example     the organization acme exists already");
  expect(await stopped(second, "SIGTERM")).toBe(0);
});
