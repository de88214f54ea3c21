// Runs the command as a process, on data folders with and without a server.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { documentsAdd } from "../../functions/documents/documents-add.ts";
import { documentsDelete } from "../../functions/documents/documents-delete.ts";
import { organizationsAdd } from "../../functions/organizations/organizations-add.ts";
import { serve } from "../support/local/serve.ts";
import { enginesOn, temporaryFolder } from "../support/local/start.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function start(file: string, args: string[], input = ""): { child: ChildProcess; done: Promise<Ended> } {
  const child = spawn(process.execPath, [join(root, file), ...args], { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(input);
  const done = Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  return { child, done: done.then(([[status], stdout, stderr]) => ({ status, stdout, stderr })) };
}
interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command, which must succeed. Returns its output, parsed. */
async function admin(args: string[], input?: string) {
  const { status, stdout, stderr } = await start("infra/admin.ts", [...args, "--json"], input).done;
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout);
}

/** Runs the command, which must fail. Returns its line on standard error. */
async function failure(args: string[], input?: string): Promise<string> {
  const { status, stdout, stderr } = await start("infra/admin.ts", args, input).done;
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr;
}

describe("the command on a folder without a server", () => {
  it("stores its data in the folder, and stops its engine at the end", async () => {
    const dir = join(temporaryFolder(), "new");
    const made = await admin(["workspace", "create", "--name", "Ada's", "--default-access", "public", "--data", dir]);
    expect(made).toEqual({
      apiKey: expect.stringMatching(/^ws_[\w-]{24}$/),
      authToken: expect.stringMatching(/^at_[\w-]{43}$/),
    });
    expect(enginesOn(dir)).toEqual([]);

    const listed = await admin(["workspace", "list", "--data", dir]);
    expect(listed).toEqual([{ apiKey: made.apiKey, name: "Ada's", createdAt: expect.any(String) }]);
    const shown = await admin(["workspace", "show", "--workspace", made.apiKey, "--data", dir]);
    expect(shown).toMatchObject({ ...listed[0], defaultAccessType: "public" });
    expect(JSON.stringify(shown)).not.toMatch(/secret|at_/i);
    expect(enginesOn(dir)).toEqual([]);
  });

  it("stores an AI key sealed, and never prints it", async () => {
    const dir = temporaryFolder();
    const { apiKey } = await admin(["workspace", "create", "--data", dir]);
    const key = "sk-plain-text-of-the-key";
    const on = ["--workspace", apiKey, "--data", dir];
    expect(await admin(["ai-key", "set", "--vendor", "openai", ...on], `${key}\n`)).toEqual({ vendor: "openai" });
    expect((await admin(["workspace", "show", ...on])).aiKeys).toEqual({
      openai: true,
      anthropic: false,
      gemini: false,
    });
    const files = readdirSync(dir, { withFileTypes: true }).filter((each) => each.isFile());
    for (const { name } of files) expect(readFileSync(join(dir, name), "latin1")).not.toContain(key);
  });
});

describe("the command on the folder of a running server", () => {
  it("changes the server's data immediately, through the server's engine", async () => {
    const dir = temporaryFolder();
    const server = start("infra/local/main.ts", ["--port", "0", "--data", dir, "--json"]);
    const failed = server.done.then(({ stderr }) => Promise.reject(new Error(stderr)));
    const [line] = await Promise.race([once(server.child.stdout as NodeJS.ReadableStream, "data"), failed]);
    failed.catch(() => {});
    const { url, apiKey: demo } = JSON.parse(String(line));

    const { apiKey, authToken } = await admin(["workspace", "create", "--data", dir]);
    const on = ["--workspace", apiKey, "--data", dir];
    const addFolder = async (token: string) => {
      const data = { organizationId: "o", createOrganization: true, folders: [{ folderId: crypto.randomUUID() }] };
      const reply = await fetch(`${url}/v2/organizations/folders/add`, {
        method: "POST",
        headers: { "x-service-api-key": apiKey, "x-service-auth-token": token, "content-type": "application/json" },
        body: JSON.stringify({ data }),
      });
      return ((await reply.json()) as { error?: { status: string } }).error?.status ?? "OK";
    };
    expect(await addFolder(authToken)).toBe("OK");
    await admin(["switch", "set", "advancedQueries", "off", ...on]);
    expect(await addFolder(authToken)).toBe("FAILED_PRECONDITION");
    await admin(["switch", "set", "advancedQueries", "on", ...on]);

    const { authToken: another } = await admin(["token", "create", "--name", "another", ...on]);
    const tokens: { id: string; name: string }[] = await admin(["token", "list", ...on]);
    expect(tokens.map(({ name }) => name).sort()).toEqual(["", "another"]);
    await admin(["token", "revoke", tokens.find(({ name }) => name === "another")?.id ?? "", ...on]);
    expect([await addFolder(another), await addFolder(authToken)]).toEqual(["PERMISSION_DENIED", "OK"]);

    const listed: { apiKey: string }[] = await admin(["workspace", "list", "--data", dir]);
    expect(listed.map((each) => each.apiKey).sort()).toEqual([demo, apiKey].sort());
    expect(enginesOn(dir)).toHaveLength(1);
    server.child.kill("SIGTERM");
    expect((await server.done).status).toBe(0);
    expect(enginesOn(dir)).toEqual([]);
  });
});

describe("trace", () => {
  it("prints what a call to the running server caused, and the state of its jobs", async () => {
    const dir = temporaryFolder();
    const server = await serve(dir);
    const requestId = async (path: string, data: object) => {
      const { url, apiKey, authToken } = server.ready;
      const credentials = { "x-service-api-key": apiKey, "x-service-auth-token": authToken };
      const headers = { "content-type": "application/json", ...credentials };
      const reply = await fetch(url + path, { method: "POST", headers, body: JSON.stringify({ data }) });
      expect(await reply.json()).toMatchObject({ result: {} });
      return reply.headers.get("x-request-id") ?? "";
    };
    const document = { organizationId: "demo", documents: [{ documentId: "d" }] };
    await requestId(organizationsAdd.path, { organizations: [{ organizationId: "demo" }] });
    await requestId(documentsAdd.path, document);
    const deleted = await requestId(documentsDelete.path, { organizationId: "demo", documentIds: ["d"] });
    const { steps, states } = await admin(["trace", deleted, "--data", dir]);
    expect(steps[0]).toMatchObject({ what: "call", id: "documents-delete", outcome: "OK 200" });
    expect(states).toMatchObject([{ what: "job purge" }]);
    // The terminal shows eight characters of an id. The job may have run since.
    expect((await admin(["trace", deleted.slice(0, 8), "--data", dir])).steps[0]).toEqual(steps[0]);
    expect(await failure(["trace", "unknown", "--data", dir])).toContain("no line of the request unknown");
    server.process.kill("SIGTERM");
    await server.exit;
  });
});

describe("the command fails with one line and status 1", () => {
  it("when the folder cannot be written to", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    expect(await failure(["workspace", "create", "--data", file])).toContain("cannot be written to");
  });

  it("when the folder does not exist or has no table, and writes nothing", async () => {
    const dir = temporaryFolder();
    for (const folder of [dir, join(dir, "typo")]) {
      expect(await failure(["workspace", "list", "--data", folder])).toContain(`${folder} is no data folder`);
    }
    expect(readdirSync(dir)).toEqual([]);
  });

  it("when the workspace is unknown, and stops its engine at the end", async () => {
    const dir = temporaryFolder();
    await admin(["workspace", "create", "--name", "x", "--data", dir]);
    expect(await failure(["token", "create", "--workspace", "ws_x", "--data", dir])).toContain('no workspace "ws_x"');
    expect(enginesOn(dir)).toEqual([]);
  });
});
