// The three operations of the compiled client, with Node's HTTP client.
const { Agent, request } = require("node:http");

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const [hostname, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(":");
let posted = Promise.resolve();

exports.next = async () => {
  await posted;
  const reply = await send("GET", "next");
  globalThis.clockOffsetMs = Number(reply.headers["clock-offset-ms"] ?? 0);
  return { bodyJson: reply.body, headers: reply.headers };
};
exports.done = (id, body) => {
  posted = send("POST", `${id}/response`, body);
};
exports.error = (id, body) => {
  posted = send("POST", `${id}/error`, body);
};

function send(method, rest, content) {
  const path = `/2018-06-01/runtime/invocation/${rest}`;
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, agent }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(parts).toString() }));
    });
    outgoing.on("error", reject).end(content);
  });
}
