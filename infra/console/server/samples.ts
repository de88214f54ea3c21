// Samples of a call for the reference: curl, our TypeScript client and Python. Keys come from the environment.
import { apiKeyHeader, authTokenHeader } from "../../../lib/http/auth.ts";
import { quoted } from "../../cli/quoted.ts";

export interface SampledCall {
  /** The origin of the API. */
  api: string;
  method: string;
  path: string;
  /** The example of the request's body. Undefined for a call without a body. */
  body?: { data?: unknown } | undefined;
  /** Whether the call has the headers with the keys. */
  hasKeys: boolean;
  /** The function of the TypeScript client. Undefined: the client has none. */
  clientFunction?: string | undefined;
}

export interface Sample {
  lang: string;
  label: string;
  source: string;
}

/** Names of the environment that the samples read. */
const variables = { apiKey: "API_KEY", authToken: "AUTH_TOKEN" };

export function samplesOf(call: SampledCall): Sample[] {
  return [
    { lang: "shell", label: "curl", source: curl(call) },
    ...(call.clientFunction ? [{ lang: "typescript", label: "TypeScript", source: typescript(call) }] : []),
    { lang: "python", label: "Python", source: python(call) },
  ];
}

function curl({ api, method, path, body, hasKeys }: SampledCall): string {
  const lines = [
    `curl -s ${body ? "" : `-X ${method} `}${JSON.stringify(api + path.replaceAll("{apiKey}", `$${variables.apiKey}`))}`,
    ...(hasKeys
      ? [`-H "${apiKeyHeader}: $${variables.apiKey}"`, `-H "${authTokenHeader}: $${variables.authToken}"`]
      : []),
    ...(body ? ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`] : []),
  ];
  return lines.join(" \\\n  ");
}

function typescript({ api, body, clientFunction }: SampledCall): string {
  // The client adds its keys to the data of calls that have them there.
  const { apiKey: _key, authToken: _token, ...data } = (body?.data ?? {}) as Record<string, unknown>;
  return `// The client is made by "npm run build" in the project of the service: npm install PROJECT/dist/client
import { createClient } from "collaboration-backend-client";

const client = createClient({
  url: ${JSON.stringify(api)},
  apiKey: process.env.${variables.apiKey} ?? "",
  authToken: process.env.${variables.authToken} ?? "",
});

const reply = await client.${clientFunction}(${JSON.stringify(data, null, 2)});
console.log(reply);`;
}

function python({ api, method, path, body, hasKeys }: SampledCall): string {
  const text = path.includes("{apiKey}")
    ? `f${JSON.stringify(api + path.replace("{apiKey}", `{os.environ['${variables.apiKey}']}`))}`
    : JSON.stringify(api + path);
  const parts = [
    text,
    ...(hasKeys
      ? [
          `headers={
        "${apiKeyHeader}": os.environ["${variables.apiKey}"],
        "${authTokenHeader}": os.environ["${variables.authToken}"],
    }`,
        ]
      : []),
    ...(body ? [`json=${indented(pythonLiteral(body), 4)}`] : []),
  ];
  const needsKeys = hasKeys || path.includes("{apiKey}");
  return `${needsKeys ? "import os\n" : ""}import requests

reply = requests.${method.toLowerCase()}(
    ${parts.join(",\n    ")},
)
print(reply.status_code, reply.json())`;
}

/** JSON as a literal of Python, which has other words for its constants. */
function pythonLiteral(value: unknown): string {
  const words: Record<string, string> = { true: "True", false: "False", null: "None" };
  // Strings are matched first, so a word inside of one stays.
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (found) => words[found] ?? found,
  );
}

function indented(text: string, spaces = 2): string {
  return text.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
