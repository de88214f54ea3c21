// Users of the example with clients of their own, as pages of a service that runs.
import { join } from "node:path";
import type { Live } from "../../../infra/client/source/live/types.ts";
import type { Post } from "../../../infra/local/example-data.ts";

export const place = { organizationId: "acme", documentId: "plan" };

// biome-ignore lint/suspicious/noExplicitAny: the types of the package are generated
type AnyClient = any;

/** Makes a client of the built package. `heard` gets whatever the service replies to it. */
export async function clientOf(
  userId: string,
  { dir, url, post, heard = () => {} }: { dir: string; url: string; post: Post; heard?: (text: string) => void },
): Promise<AnyClient> {
  const { createBrowserClient } = await import(packageFile(dir, "browser"));
  const getToken = async () => {
    const userProperties = { name: `${userId} of Acme`, email: `${userId}@example.com` };
    const data = { userId, userProperties, permissions: { resources: [] } };
    const { token } = await post<{ token: string }>("/v2/auth/generate_token", data);
    return token;
  };
  const fetched = async (request: Request) => {
    const reply = await fetch(request);
    heard(await reply.clone().text());
    return reply;
  };
  return createBrowserClient({ url, getToken, fetch: fetched });
}

export const packageFile = (dir: string, name: string) =>
  join(dir, "node_modules/collaboration-backend-client", `${name}.js`);

/** Resolves when it is so. `watch` calls back at each change, and returns what ends that. */
export function when(watch: (look: () => void) => () => void, isSo: () => unknown): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    const end = watch(() => look());
    const look = () => {
      if (isOver || !isSo()) return;
      isOver = true;
      end();
      resolve();
    };
    look();
  });
}

/** Resolves when the state of a document or an inbox is as asked. */
export async function reached<Shown>(live: Live<Shown>, isReached: (shown: Shown) => unknown): Promise<Shown> {
  await when(live.subscribe, () => isReached(live.getSnapshot()));
  return live.getSnapshot();
}
