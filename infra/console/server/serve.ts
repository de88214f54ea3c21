// The console of a deployment, or of any service: a server of its own on this machine.
import { createServer } from "node:http";
import { type Listening, listen } from "../../local/listen.ts";
import { failure, send } from "./reply.ts";
import { createSite } from "./site.ts";
import type { SiteOptions } from "./site-options.ts";

interface ServeOptions extends Omit<SiteOptions, "mode"> {
  mode: "url" | "stack";
  port: number;
  onError(thrown: unknown): void;
}

export function serveConsole({ port, onError, ...options }: ServeOptions): Promise<Listening> {
  const respond = createSite(options);
  const server = createServer(async (request, response) => {
    try {
      await respond(request, response);
    } catch (thrown) {
      if (response.destroyed) return; // The client has disconnected.
      onError(thrown);
      if (response.headersSent) response.destroy();
      else send(response, failure(500, "INTERNAL", "The console has failed. Its terminal says more."));
    }
  });
  return listen(server, port);
}
