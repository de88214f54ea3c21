// The local server on engines that are as hard as AWS.
import { describe, expect, test } from "vitest";
import { documentsAdd } from "../../../../functions/documents/documents-add.ts";
import { documentsGet } from "../../../../functions/documents/documents-get.ts";
import { organizationsAdd } from "../../../../functions/organizations/organizations-add.ts";
import { usersAdd } from "../../../../functions/users/users-add.ts";
import { usersGet } from "../../../../functions/users/users-get.ts";
import { usersUpdate } from "../../../../functions/users/users-update.ts";
import { post, run, serve, stopped } from "../../../support/local/serve.ts";
import { temporaryFolder } from "../../../support/local/start.ts";

const clients = 6;
const rounds = 8;
const organizationId = "o";

test("clients that write the same items at once see only success", async () => {
  const server = await serve(temporaryFolder(), "--hard", "--seed", "7");
  expect(server.ready).toMatchObject({ seed: 7 });
  await post(server, organizationsAdd, { organizations: [{ organizationId, organizationName: "name" }] });
  const users = [{ userId: "shared", name: "Shared" }];
  await post(server, usersAdd, { organizationId, users });
  const calls = Array.from({ length: clients }, async (_, client) => {
    const replies: unknown[] = [];
    for (let round = 0; round < rounds; round++) {
      const documents = [{ documentId: `d${client}-${round}`, documentName: "name" }];
      replies.push(await post(server, documentsAdd, { organizationId, documents }));
      const changed = [{ userId: "shared", name: `Name ${client}` }];
      replies.push(await post(server, usersUpdate, { organizationId, users: changed }));
      replies.push(await post(server, usersGet, { organizationId }));
    }
    return replies;
  });
  for (const reply of (await Promise.all(calls)).flat()) {
    expect(reply).toMatchObject({ result: { status: "success" } });
  }
  const { result } = await post(server, documentsGet, { organizationId, pageSize: 100 });
  expect(result.data.documents).toHaveLength(clients * rounds);
  expect(await stopped(server, "SIGTERM")).toBe(0);
});

describe("the server does not start", () => {
  test.each([
    [["--seed", "1"], "--seed has no effect without --hard."],
    [["--hard", "--seed", "x"], "--seed must be a whole number from 0 to 999999999, not x."],
  ])("with %s", async (options, message) => {
    const { exit, stderr } = run(["--port", "0", "--data", temporaryFolder(), ...options]);
    expect(await exit).toBe(1);
    expect((await stderr).trim()).toBe(message);
  });
});
