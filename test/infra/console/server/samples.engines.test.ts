// The samples of the reference, in the programs that they are for.
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Sample, samplesOf } from "../../../../infra/console/server/samples.ts";
import { standInApi } from "../../../support/console/site.ts";

const data = { name: 'O\'Hara "x" $HOME `id`', isAdmin: true, none: null, text: "true null", nested: [{ a: 1.5 }] };
const body = { data };

const source = (samples: Sample[], label: string) => samples.find((each) => each.label === label)?.source ?? "";
const env = { ...process.env, API_KEY: "ws_1", AUTH_TOKEN: "at_1" };

test("the curl sample sends the example when it is pasted into a shell", async () => {
  const api = await standInApi();
  const samples = samplesOf({ api: api.url, method: "POST", path: "/v2/users/get", body, hasKeys: true });
  await promisify(execFile)("sh", ["-c", source(samples, "curl")], { env });
  expect(api.calls[0]).toMatchObject({ method: "POST", url: "/v2/users/get" });
  expect(api.calls[0]?.headers).toMatchObject({
    "content-type": "application/json",
    "x-service-api-key": "ws_1",
    "x-service-auth-token": "at_1",
  });
  expect(JSON.parse(api.calls[0]?.body ?? "")).toEqual(body);
});

test("the key set needs the API key in its path, and no header", async () => {
  const api = await standInApi();
  const samples = samplesOf({ api: api.url, method: "GET", path: "/.well-known/jwks/{apiKey}", hasKeys: false });
  expect(samples.map(({ label }) => label)).toEqual(["curl", "Python"]);
  await promisify(execFile)("sh", ["-c", source(samples, "curl")], { env });
  expect(api.calls[0]).toMatchObject({ method: "GET", url: "/.well-known/jwks/ws_1" });
});

const hasPython = (() => {
  try {
    execFileSync("python3", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasPython)("the Python sample is valid, and has the example's values", () => {
  const samples = samplesOf({ api: "https://a.example", method: "POST", path: "/v2/users/get", body, hasKeys: true });
  // A stand-in for the package `requests`, which prints what it gets.
  const standIn = `import sys, types, json
class Reply:
    status_code = 200
    def json(self): return {}
def post(url, headers, json): print(__import__("json").dumps([url, headers, json])); return Reply()
sys.modules["requests"] = types.SimpleNamespace(post=post)
`;
  const printed = execFileSync("python3", ["-c", standIn + source(samples, "Python")], { env, encoding: "utf8" });
  expect(JSON.parse(printed.split("\n")[0] ?? "")).toEqual([
    "https://a.example/v2/users/get",
    { "x-service-api-key": "ws_1", "x-service-auth-token": "at_1" },
    body,
  ]);
});
