// `npm start` and `npm run admin` on a data folder that a release of format 1 wrote.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { documentsAdd } from "../../../functions/content/documents-add.ts";
import { documentsDelete } from "../../../functions/content/documents-delete.ts";
import { organizationsAdd } from "../../../functions/content/organizations-add.ts";
import { advancedwebhookconfigUpdate } from "../../../functions/workspace/advancedwebhookconfig-update.ts";
import { webhookEndpointsCreate } from "../../../functions/workspace/webhook-endpoints-create.ts";
import { webhookEndpointsGet } from "../../../functions/workspace/webhook-endpoints-get.ts";
import { webhookSecretGet } from "../../../functions/workspace/webhook-secret-get.ts";
import { openEngine } from "../../../infra/local/dynamodb.ts";
import { tableName } from "../../../infra/local/environment.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import type { Job } from "../../../lib/jobs/job.ts";
import { createFormerTable, inFormatOne } from "../../support/format-one.ts";
import { post, type Server, serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";
import { allItemsAt } from "../../support/scan.ts";

const organizationId = "o";
const adminFile = fileURLToPath(new URL("../../../infra/admin.ts", import.meta.url));
const runAdmin = (...args: string[]) => spawnSync(process.execPath, [adminFile, ...args], { encoding: "utf8" });

async function call(server: Server, endpoint: { path: string }, data: object) {
  const { error, result } = await post(server, endpoint, data);
  expect(error).toBeUndefined();
  return result.data;
}

/** A folder with a webhook endpoint, and a job that waits. `change`: what happened to the items since then. */
async function formerFolder(change: (former: Item[], present: Item[]) => Item[]) {
  const dir = temporaryFolder();
  const server = await serve(dir);
  await call(server, advancedwebhookconfigUpdate, { isEnabled: true });
  const { id: endpointId } = await call(server, webhookEndpointsCreate, {
    url: "https://example.com/",
    filterTypes: ["recorder.done"],
  });
  const { secret } = await call(server, webhookSecretGet, { endpointId });
  await call(server, organizationsAdd, { organizations: [{ organizationId }] });
  await call(server, documentsAdd, { organizationId, documents: [{ documentId: "d" }] });
  await call(server, documentsDelete, { organizationId, documentIds: ["d"] });
  await stopped(server, "SIGTERM");
  const engine = await openEngine(dir);
  const items = await allItemsAt(engine.endpoint, tableName);
  await createFormerTable(engine.endpoint, tableName, change(inFormatOne(items), items));
  await engine.close();
  return { dir, endpointId, secret };
}

async function expectMigrated({ dir, endpointId, secret }: Awaited<ReturnType<typeof formerFolder>>): Promise<void> {
  const server = await serve(dir);
  const { endpoints } = await call(server, webhookEndpointsGet, {});
  expect(endpoints).toMatchObject([{ id: endpointId, url: "https://example.com/" }]);
  expect(await call(server, webhookSecretGet, { endpointId })).toMatchObject({ secret });
  const engine = await openEngine(dir);
  const itemsNow = () => allItemsAt(engine.endpoint, tableName);
  const jobs = async () => (await itemsNow()).filter(({ entity }) => entity === "job");
  // A purge runs again after a minute.
  const hasRun = ({ state, payload }: Item) => state === "done" || (payload as Job["payload"]).isSecondPass === true;
  await vi.waitUntil(async () => (await jobs()).every(hasRun), { timeout: 300_000, interval: 500 });
  expect((await jobs()).map(({ kind }) => kind)).toContain("purge");
  expect((await itemsNow()).find(({ entity }) => entity === "format")).toMatchObject({ version: 4 });
  await engine.close();
  expect(await stopped(server, "SIGTERM")).toBe(0);
}

test("npm start migrates the items, adds the index, and does the jobs that waited", async () => {
  await expectMigrated(await formerFolder((former) => former));
});

test("npm start completes what a start that was killed began", async () => {
  const half = (former: Item[], present: Item[]) =>
    former.map((item, index) => {
      if (item.entity === "format") return { ...item, version: 4, oldest: 1 };
      return item.entity === "webhook-endpoint" ? (present[index] as Item) : item;
    });
  await expectMigrated(await formerFolder(half));
});

test("npm run admin refuses the folder with the command that migrates it, and that command does", async () => {
  const folder = await formerFolder((former) => former);
  const { dir } = folder;
  const refused = runAdmin("workspace", "list", "--data", dir);
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toMatch(
    /^The table has items of format 1, and this version reads format 4\..*`npm run admin -- migrate-items`[^\n]*\n$/,
  );
  const { status, stdout, stderr } = runAdmin("migrate-items", "--data", dir, "--json");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ state: "complete", from: 1, to: 4, migrated: 2 });
  expect(runAdmin("jobs", "list", "--data", dir, "--json").stdout).toContain('"kind":"purge"');
  await expectMigrated(folder);
});
