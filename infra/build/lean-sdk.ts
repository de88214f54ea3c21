// The esbuild plugin that leaves out the parts of the SDK that the functions do not use.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/** Modules of the SDK that files of this folder replace. */
const ownFiles: { filter: RegExp; file: string }[] = [
  { filter: /^@aws-sdk\/credential-provider-node$/, file: "environment-credentials.ts" },
  { filter: /^@aws-sdk\/dynamodb-codec$/, file: "dynamodb-json.ts" },
  { filter: /node-config-provider\/configLoader$/, file: "environment-config.ts" },
];

/** Parts of the SDK that these functions never use, with their replacements. */
const replacements: { filter: RegExp; contents: string }[] = [
  // S3's client imports it, but only operations that stream events use it. The service calls none. 20 KB.
  {
    filter: /^@smithy\/core\/event-streams$/,
    contents: "export const resolveEventStreamSerdeConfig = (config) => config, eventStreamSerdeProvider = () => ({});",
  },
  // Hash functions for platforms without node:crypto, and signatures of event streams. 7 KB.
  { filter: /^\.\/Sha256Js$/, contents: "export class Sha256Js {}" },
  { filter: /^\.\/Md5Js$/, contents: "export class Md5Js {}" },
  { filter: /^\.\/HeaderFormatter$/, contents: "export class HeaderFormatter {}" },
  // Used only when AWS_ENABLE_ENDPOINT_DISCOVERY is set. 9 KB.
  {
    filter: /^@aws-sdk\/middleware-endpoint-discovery$/,
    contents: `const off = () => undefined;
export const resolveEndpointDiscoveryConfig = (config) => config;
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = { environmentVariableSelector: off, configFileSelector: off };`,
  },
  // Used only when AWS_RETRY_MODE is "adaptive". The standard retry strategy replaces it. 4 KB.
  {
    filter: /\/AdaptiveRetryStrategy$/,
    contents: 'export { StandardRetryStrategy as AdaptiveRetryStrategy } from "@smithy/core/retry";',
  },
  // Used only when AWS_REGION is not set. Lambda always sets it. 1 KB.
  { filter: /\/getInstanceMetadataRegion$/, contents: "export const getInstanceMetadataRegion = async () => {};" },
  // Copies every request and reply for a logger, which no client here has. 2 KB.
  {
    filter: /\/loggerMiddleware$/,
    contents: `export const loggerMiddleware = () => (next) => next, loggerMiddlewareOptions = {};
export const getLoggerPlugin = () => ({ applyToStack: () => {} });`,
  },
  {
    filter: /\/schemaLogFilter$/,
    contents: "export const schemaLogFilter = (schema, data) => data;",
  },
  // The user agent tells AWS which features of the SDK a client uses. 1 KB.
  { filter: /^\.\/check-features$/, contents: "export const checkFeatures = async () => {};" },
  // Tells the traces of calls apart where one instance answers several at once. A function answers one at a time. 2 KB.
  {
    filter: /^@aws\/lambda-invoke-store$/,
    contents: "export const InvokeStore = { getInstanceAsync: async () => undefined };",
  },
  // Warns of a Node version that is too old. The stack states the version. 1 KB.
  {
    filter: /^\.\/emitWarningIfUnsupportedVersion$/,
    contents: "export const state = {}, emitWarningIfUnsupportedVersion = () => {};",
  },
  // It looks for the global `crypto`, for which Node loads WebCrypto.
  {
    filter: /^\.\/uuid\/v4$/,
    contents: 'import { randomUUID } from "node:crypto"; export const bindV4 = () => () => randomUUID();',
  },
  // The names of these classes make Node load its web streams. The SDK gets only strings, bytes and Node's own streams.
  {
    filter: /\/stream-type-check$/,
    contents: "export const isReadableStream = () => false, isBlob = () => false;",
  },
  {
    filter: /\/isStreamingPayload$/,
    contents: `import { Readable } from "node:stream";
export const isStreamingPayload = (request) => request?.body instanceof Readable;`,
  },
  // `lib/dynamodb` reads pages itself. 1 KB.
  { filter: /^\.\/pagination$/, contents: "" },
];

/** Otherwise the SDK reads ~/.aws on the first request for every setting that the environment lacks. 3 ms. */
const sharedConfigFiles = {
  filter: /shared-ini-file-loader[\\/]loadSharedConfigFiles\.js$/,
  contents: `export const CONFIG_PREFIX_SEPARATOR = ".";
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
};

/**
 * Each client registers a class and a schema for every error of its service. An unregistered error becomes the
 * service's base exception, with the same name, message, metadata and members. Retries depend only on the name and the
 * HTTP status, so they do not change. 44 KB in a function with all three clients.
 */
const schemas = /@aws-sdk[\\/]client-[a-z\d]+[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/;
/** Errors that stay registered. The first two carry items, which need a schema. Retries of the last need its class. */
const registeredErrors = [
  "ConditionalCheckFailedException",
  "TransactionCanceledException",
  "ReplicatedWriteConflictException",
];

/** A structure, or (with "-3") an error: its name, traits, members and their types. */
const structure = /= \[(-?3), (n0, \w+),\s+(\S.*),\s+\[(.*)\],\s+\[.*\](?:, \d+)?\s+\];/g;

/** The codec in `dynamodb-json.ts` needs no types. Only the members of errors are looked up by their names. 14 KB. */
const withoutTypes = (source: string) =>
  source.replaceAll(structure, (_, kind, name, traits, members) => {
    const kept = kind === "3" ? "" : members;
    return `= [${kind}, ${name}, ${traits}, [${kept}], [${kept && "0, ".repeat(kept.split(",").length)}]];`;
  });

/** Removes the other errors, and replaces computed keys by literals: esbuild keeps every object with a computed key. */
function leanSchemas(source: string): string {
  const literals = new Map([...source.matchAll(/^const (\w+) = ("[^"]*");$/gm)].map(([, name, text]) => [name, text]));
  return source
    .replaceAll(/^n0_registry\.registerError\((\w+)\$, \1\);\n/gm, (line, name) =>
      registeredErrors.includes(name) ? line : "",
    )
    .replaceAll(/\[(\w+)\]:/g, (key, name) => (literals.has(name) ? `${literals.get(name)}:` : key));
}

/**
 * The SDK lists every region with its description, which no rule for an endpoint reads. A region that is not listed gets
 * the same values from its partition's pattern. 4 KB.
 */
const partitions = /util-endpoints[\\/]lib[\\/]aws[\\/]partitions\.js$/;

/** Without the regions that end with a number: the pattern of their partition matches them. */
const leanPartitions = (source: string) =>
  source.replaceAll(/"[\w-]+-\d+": \{\s*"description": "[^"]*"\s*\},?/g, "").replaceAll(/"description": "[^"]*"/g, "");

/**
 * The protocol of KMS and SQS makes its own codec, for which DynamoDB's protocol, with `dynamodb-json.ts`, has no use.
 * Here the two clients make it, so that a function without them does not contain it. 18 KB.
 */
const jsonProtocol = /protocols[\\/]json[\\/]AwsJsonRpcProtocol\.js$/;
const ownCodec = /jsonCodec \?\?\s*new JsonCodec2\(\{[^;]*\}\);/;
const jsonClient = /client-(?:kms|sqs)[\\/]dist-es[\\/]runtimeConfig\.shared\.js$/;
const clientCodec = "jsonCodec: new JsonCodec2({ timestampFormat: { useTrait: true, default: 7 }, jsonName: false })";

function replaced(source: string, part: RegExp | string, by: string): string {
  const result = source.replace(part, by);
  if (result === source) throw new Error(`The SDK has changed: it has no ${part}. Compare it with lean-sdk.ts.`);
  return result;
}

const withCodec = (source: string) => `import { JsonCodec2 } from "@smithy/core/protocols";
${replaced(source, "protocolSettings: config?.protocolSettings ?? {", `$& ${clientCodec},`)}`;

/** Some operations of AWS prefix the host of their address. The service calls none of them. 4 KB. */
const httpProtocol = /protocols[\\/]HttpProtocol\.js$/;
const hostPrefix = /setHostPrefix\([\s\S]*?\n {4}\}\n/;

/** A module with parsers of all formats reads the date of Retry-After, which `Date` reads too. 4 KB. */
const retryAfter = /parseRetryAfterHeader\.js$/;
const httpDate = "parseRfc7231DateTime(retryAfter)";

/** Parts of modules, with their replacements. */
const patches: { filter: RegExp; part: RegExp | string; by: string }[] = [
  { filter: jsonProtocol, part: ownCodec, by: "jsonCodec;" },
  { filter: httpProtocol, part: hostPrefix, by: "setHostPrefix() {}\n" },
  { filter: retryAfter, part: httpDate, by: "new Date(retryAfter)" },
];

/** A client imports its package.json only for the version in the user agent. 2 KB for each client. */
const manifest = /@aws-sdk[\\/][\w-]+[\\/]package\.json$/;

export const leanSdk: Plugin = {
  name: "lean-sdk",
  setup({ onResolve, onLoad }) {
    const resolveDir = dirname(fileURLToPath(import.meta.url));
    for (const { filter, file } of ownFiles) {
      onResolve({ filter }, () => ({ path: join(resolveDir, file), sideEffects: false }));
    }
    for (const { filter, contents } of replacements) {
      onResolve({ filter }, ({ path }) => ({ path, namespace: "replaced", sideEffects: false, pluginData: contents }));
    }
    onLoad({ filter: /.*/, namespace: "replaced" }, ({ pluginData }) => ({ contents: pluginData, resolveDir }));
    onLoad({ filter: sharedConfigFiles.filter }, () => ({ contents: sharedConfigFiles.contents }));
    onLoad({ filter: schemas }, async ({ path }) => {
      const source = leanSchemas(await readFile(path, "utf8"));
      return { contents: path.includes("client-dynamodb") ? withoutTypes(source) : source };
    });
    for (const { filter, part, by } of patches) {
      onLoad({ filter }, async ({ path }) => ({ contents: replaced(await readFile(path, "utf8"), part, by) }));
    }
    onLoad({ filter: jsonClient }, async ({ path }) => ({ contents: withCodec(await readFile(path, "utf8")) }));
    onLoad({ filter: partitions }, async ({ path }) => ({ contents: leanPartitions(await readFile(path, "utf8")) }));
    onLoad({ filter: manifest }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};
