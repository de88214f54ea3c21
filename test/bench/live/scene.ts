// Documents of the local server, and tokens of users who may open them.
import { chunks } from "../../../lib/concurrency.ts";
import type { Service } from "./processes.ts";

export const organizationId = "live";

export interface Scene {
  place: { organizationId: string; documentId: string };
  /** Users who may edit. */
  tokens: string[];
}

/** A document with an editor of text and a thread. `users`: how many may edit it. */
export async function newScene({ post }: Service, documentId: string, users: number): Promise<Scene> {
  const place = { organizationId, documentId };
  await post("/v2/organizations/add", { organizations: [{ organizationId }] });
  await post("/v1/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  await post("/v2/crdt/add", { ...place, editorId: "body", type: "text", data: "" });
  const tokens: string[] = [];
  const userIds = Array.from({ length: users }, (_, index) => `${documentId}-${index}`);
  for (const some of chunks(userIds, 10)) {
    const made = some.map(async (userId) => {
      const userProperties = { name: `User ${userId}`, email: `${userId}@example.com` };
      const resources = [{ type: "document", id: documentId, organizationId, accessRole: "editor" }];
      const { token } = await post<{ token: string }>("/v2/auth/generate_token", {
        ...{ userId, userProperties, permissions: { resources } },
      });
      return token;
    });
    tokens.push(...(await Promise.all(made)));
  }
  return { place, tokens };
}
