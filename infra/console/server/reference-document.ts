// The OpenAPI document as the reference shows it: with samples of each call, which read the keys from the environment.
import { functionNameOf } from "../../client/function-name.ts";
import type { OpenApi } from "../../openapi/document.ts";
import type { Operation } from "../../openapi/operation.ts";
import type { KeysLine } from "./keys-line.ts";
import { samplesOf } from "./samples.ts";

const aboutKeys = ({ line, about }: KeysLine) => `## Keys on this page

"Try it" needs no keys: it sends the call to the console's own process, which adds them, and hides credentials in
replies. A token that a call creates is printed in the terminal of that process, and so is the secret of a webhook
endpoint. Calls that change something work in a browser that has opened the console by the address in the terminal.

The samples read the keys from the environment. Once in each terminal, a command sets them. ${about}

\`\`\`sh
${line}
\`\`\`

`;

type Fields = Record<string, unknown>;

/** `api`: the origin that the samples call. */
export function referenceDocument(document: OpenApi, { api, keysLine }: { api: string; keysLine: KeysLine }): OpenApi {
  const info = document.info as { description?: string };
  const isOpen = (own: unknown) => Array.isArray(own) && own.length === 0;
  return {
    ...document,
    info: { ...info, description: withKeysSection(withSampleKeys(info.description ?? ""), aboutKeys(keysLine)) },
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => {
            const hasKeys = !isOpen(operation.security);
            const body = exampleOf(operation);
            const clientFunction = hasKeys && body ? functionNameOf(String(operation.operationId)) : undefined;
            const call = { api, path, method: method.toUpperCase(), body, hasKeys, clientFunction };
            return [method, { ...operation, "x-codeSamples": samplesOf(call) } as unknown as Operation];
          }),
        ),
      ]),
    ),
  };
}

/** Before the first section of the introduction. */
function withKeysSection(text: string, section: string): string {
  const start = text.search(/^## /m);
  return start < 0 ? `${text}\n\n${section}` : text.slice(0, start) + section + text.slice(start);
}

/** The first call of the introduction reads the keys as the samples do. */
const withSampleKeys = (text: string) => text.replaceAll(/'([\w-]+): YOUR_(API_KEY|AUTH_TOKEN)'/g, '"$1: $$$2"');

interface Content {
  example?: { data?: unknown };
  examples?: Record<string, { value?: { data?: unknown } }>;
}

/** The first example of the request's body. */
function exampleOf({ requestBody }: Fields): { data?: unknown } | undefined {
  const content = (requestBody as { content?: Record<string, Content> } | undefined)?.content?.["application/json"];
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
}
