import { buffer } from "node:stream/consumers";
import { httpServer, type Listening, listen } from "../../infra/local/listen.ts";

export interface Outside extends Listening {
  /** Of a receiver of webhooks that fails once. */
  flakyUrl: string;
  /** Of a receiver that always fails. */
  failingUrl: string;
  /** Whether the first receiver has accepted a delivery. */
  hasAccepted(): boolean;
}

/** What the functions call outside AWS: receivers of webhooks, and at `url` a permission provider. */
export async function startOutside(): Promise<Outside> {
  let flakyCalls = 0;
  const server = httpServer(async (request, response) => {
    await buffer(request);
    if (request.url === "/flaky") flakyCalls += 1;
    const isFailure = request.url === "/failing" || (request.url === "/flaky" && flakyCalls === 1);
    response.writeHead(isFailure ? 500 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: [], success: true, statusCode: 200 }));
  });
  const listening = await listen(server, 0);
  return {
    ...listening,
    flakyUrl: `${listening.url}/flaky`,
    failingUrl: `${listening.url}/failing`,
    hasAccepted: () => flakyCalls > 1,
  };
}
