import type { RequestListener } from "node:http";

/** Holds its replies until `answer` is called. Then it fails every request with HTTP status 500. */
export function silentServer() {
  const waiting: (() => void)[] = [];
  const state = { isSilent: true, requests: 0, inFlight: 0, most: 0 };
  const respond: RequestListener = (request, response) => {
    state.requests += 1;
    state.inFlight += 1;
    state.most = Math.max(state.most, state.inFlight);
    response.on("close", () => (state.inFlight -= 1));
    request.resume();
    const answer = () => response.writeHead(500).end("{}");
    if (state.isSilent) waiting.push(answer);
    else answer();
  };
  const answer = () => {
    state.isSilent = false;
    for (const each of waiting.splice(0)) each();
  };
  return { state, respond, answer };
}
