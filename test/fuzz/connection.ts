// One client's connection to the service. It stays open between requests.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";

export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Longer than every deadline of the service. */
const timeoutMs = 40_000;

/** `refused`: the request has not reached the service. `lost`: it may have been done. `late`: no reply in time. */
export type NoAnswer = "refused" | "lost" | "late";

export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  send(base: URL, { method, path, headers, body }: Request): Promise<Answer | NoAnswer> {
    return new Promise((resolve) => {
      const options = { agent: this.#agent, host: base.hostname, port: base.port, method, path, timeout: timeoutMs };
      const length = { "content-length": String(Buffer.byteLength(body)) };
      const sent = httpRequest({ ...options, headers: { ...headers, ...length } }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part) => parts.push(part));
        response.on("error", () => resolve("lost"));
        response.on("close", () => resolve("lost"));
        response.on("end", () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text: Buffer.concat(parts).toString("utf8") });
        });
      });
      sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED" ? "refused" : "lost"));
      sent.on("timeout", () => {
        resolve("late");
        sent.destroy();
      });
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
