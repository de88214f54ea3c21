// Declarations of functions that do not exist, for stack tests that must not depend on the real list.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Deployable } from "../../infra/deployables.ts";
import { type Endpoint, type EndpointSpec, endpoint } from "../../lib/http/endpoint.ts";
import { authorizer, scheduled, worker } from "../../lib/jobs/worker.ts";

type Given = Partial<EndpointSpec<z.ZodMiniType, z.ZodMiniType>> & { name: string };

export function fakeEndpoint(given: Given): Endpoint {
  return endpoint({
    path: `/v2/${given.name}`,
    summary: `Do ${given.name}.`,
    grants: [],
    data: z.unknown(),
    reply: z.unknown(),
    message: "Done.",
    handle: async () => ({}),
    ...given,
  });
}

export const notFound = fakeEndpoint({ name: "not-found", path: "/{proxy+}", credentials: "none" });

export const purge = worker({
  name: "purge",
  summary: "Delete the data of a deleted document.",
  jobs: "purge",
  grants: [
    "mail:send",
    "live:publish",
    "table:read",
    "table:delete",
    "table:batch",
    "file:read",
    "file:write",
    "file:list",
    "file:delete",
  ],
  run: async () => "done",
});

export const sweeper = scheduled({
  name: "sweeper",
  summary: "Send overdue jobs again.",
  everyMinutes: 1,
  grants: ["table:due", "table:write"],
  run: async () => {},
});

export const fakeAuthorizer = authorizer({
  name: "authorize",
  summary: "Decide about tickets.",
  grants: ["table:read"],
  decide: async () => ({ isAuthorized: false }),
});

export const fakes: Deployable[] = [
  fakeEndpoint({ name: "documents-delete", grants: ["table:read", "table:write", "queue:purge"] }),
  fakeEndpoint({
    name: "token-generate",
    grants: ["table:read", "table:slots", "key:seal:signing-key", "key:unseal:signing-key"],
    timeoutSeconds: 28,
    memoryMb: 1024,
  }),
  notFound,
  purge,
  sweeper,
];

/** Creates a folder with a bundle for each function. Returns its path. */
export function fakeAssets(deployables: readonly Deployable[]): string {
  const assets = mkdtempSync(join(tmpdir(), "assets-"));
  for (const each of deployables) {
    const folder = join(assets, each.name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.mjs"), `export const handler = async () => ${JSON.stringify(each.name)};\n`);
    const scripts = each.kind === "endpoint" ? {} : each.scripts;
    for (const script of Object.keys(scripts)) writeFileSync(join(folder, `${script}.mjs`), "");
  }
  return assets;
}
