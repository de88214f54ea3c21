// What makes bundles small and quick to start. Measured on a function with DynamoDB and validation, SDK 3.1162, to the
// first answer: as it comes 358 KB; with these 193 KB, and 57 ms of CPU where only the credentials replaced takes 79.
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/**
 * esbuild copies an imported module's own properties one by one, which evaluates even those that Node loads on first use
 * (of `util` the colours of a terminal, of `crypto` all of WebCrypto). What is inherited is not copied: 8 % of an
 * import's CPU. Modules that are functions stay so, to be called; so does `process`, to be listened to.
 */
function inherited(id: string): string {
  const module = `process.getBuiltinModule(${JSON.stringify(id)})`;
  const isItself = id === "process" || typeof process.getBuiltinModule(id) === "function";
  return isItself ? module : `Object.create(${module})`;
}

/**
 * `import "node:http"` evaluates every export of it, WebSocket among them, and so loads undici; the object behind it
 * does not. As CommonJS: esbuild then serves named, default and namespace imports and `require` alike, lazily.
 */
export const builtins: Plugin = {
  name: "builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[\w/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path: path.replace(/^node:/, ""), namespace: "builtin", sideEffects: false } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => {
      // Test runners and SQLite exist under their prefixed name only.
      const id = isBuiltin(path) ? path : `node:${path}`;
      return { contents: `module.exports = ${inherited(id)}` };
    });
  },
};

/** Parts of the SDK that a Lambda function never uses, and what stands for them. */
const replaced: { filter: RegExp; contents: string }[] = [
  // Only operations that stream events use it: none of those that the service calls. S3's client asks for it. 20 KB.
  {
    filter: /^@smithy\/core\/event-streams$/,
    contents: "export const resolveEventStreamSerdeConfig = (config) => config, eventStreamSerdeProvider = () => ({});",
  },
  // What hashes where node:crypto cannot, and what signs events of a stream. 7 KB.
  { filter: /^\.\/Sha256Js$/, contents: "export class Sha256Js {}" },
  { filter: /^\.\/Md5Js$/, contents: "export class Md5Js {}" },
  { filter: /^\.\/HeaderFormatter$/, contents: "export class HeaderFormatter {}" },
  // Asked only where AWS_ENABLE_ENDPOINT_DISCOVERY is set. 9 KB.
  {
    filter: /^@aws-sdk\/middleware-endpoint-discovery$/,
    contents: `const off = () => undefined;
export const resolveEndpointDiscoveryConfig = (config) => config;
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = { environmentVariableSelector: off, configFileSelector: off };`,
  },
  // Asked only where AWS_RETRY_MODE is "adaptive": it then retries as by default. 4 KB.
  {
    filter: /\/AdaptiveRetryStrategy$/,
    contents: 'export { StandardRetryStrategy as AdaptiveRetryStrategy } from "@smithy/core/retry";',
  },
  // Asked only where AWS_REGION is not set. 1 KB.
  { filter: /\/getInstanceMetadataRegion$/, contents: "export const getInstanceMetadataRegion = async () => {};" },
  // Pages are followed by the store. 1 KB.
  { filter: /^\.\/pagination$/, contents: "" },
];

/** Each setting that the environment lacks would be looked for in ~/.aws, on the first request. 3 ms. */
const sharedConfigFiles = {
  filter: /shared-ini-file-loader[\\/]loadSharedConfigFiles\.js$/,
  contents: `export const CONFIG_PREFIX_SEPARATOR = ".";
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
};

/**
 * Each client registers a class and a schema for every error that its service can answer. An error that is not
 * registered arrives as the service's base exception: with the same name, message, metadata and members, and so with the
 * same retries, which go by name and HTTP status. 44 KB where all three clients are.
 */
const schemas = /@aws-sdk[\\/]client-[a-z\d]+[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/;
/** The first two carry items, which only a schema decodes; the last is retried by its class alone. */
const registered = [
  "ConditionalCheckFailedException",
  "TransactionCanceledException",
  "ReplicatedWriteConflictException",
];

/** A client's schemas without those errors, and with plain keys: esbuild keeps what has a computed key, used or not. */
function leanSchemas(source: string): string {
  const texts = new Map([...source.matchAll(/^const (\w+) = ("[^"]*");$/gm)].map(([, name, text]) => [name, text]));
  return source
    .replaceAll(/^n0_registry\.registerError\((\w+)\$, \1\);\n/gm, (line, name) =>
      registered.includes(name) ? line : "",
    )
    .replaceAll(/\[(\w+)\]:/g, (key, name) => (texts.has(name) ? `${texts.get(name)}:` : key));
}

/** Each client brings its whole manifest, for the version in the user agent. 2 KB a client. */
const manifest = /@aws-sdk[\\/][\w-]+[\\/]package\.json$/;

/** Yjs warns of a second copy of itself, by a global: where several functions are loaded in one process, each has one. */
const yjs = { filter: /yjs[\\/]dist[\\/]yjs\.mjs$/, warned: "glo[importIdentifier] === true" };

export const quietYjs: Plugin = {
  name: "quiet-yjs",
  setup({ onLoad }) {
    onLoad({ filter: yjs.filter }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(yjs.warned, "false"),
    }));
  },
};

export const leanSdk: Plugin = {
  name: "lean-sdk",
  setup({ onResolve, onLoad }) {
    const credentials = fileURLToPath(new URL("environment-credentials.ts", import.meta.url));
    const resolveDir = dirname(credentials);
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({ path: credentials, sideEffects: false }));
    for (const { filter, contents } of replaced) {
      onResolve({ filter }, ({ path }) => ({ path, namespace: "replaced", sideEffects: false, pluginData: contents }));
    }
    onLoad({ filter: /.*/, namespace: "replaced" }, ({ pluginData }) => ({ contents: pluginData, resolveDir }));
    onLoad({ filter: sharedConfigFiles.filter }, () => ({ contents: sharedConfigFiles.contents }));
    onLoad({ filter: schemas }, async ({ path }) => ({ contents: leanSchemas(await readFile(path, "utf8")) }));
    onLoad({ filter: manifest }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};
