// Names of channels, and the namespaces with who may do what. Facts (AWS's pages): up to five segments of 50 letters,
// digits and dashes, case-sensitive; a subscription may end in `/*`. Assumed: `*` stands for one or more segments.
import { AwsError } from "../aws-json.ts";

/** How a caller proves who it is: a signature of IAM, or a token for the authorizer. */
export type Mode = "iam" | "lambda";

interface Namespace {
  publish: Mode;
  subscribe: Mode;
}

/** As the stack declares them. */
const namespaces: ReadonlyMap<string, Namespace> = new Map([
  ["doc", { publish: "iam", subscribe: "lambda" }],
  ["user", { publish: "iam", subscribe: "lambda" }],
  ["aware", { publish: "lambda", subscribe: "lambda" }],
]);

export interface Channel {
  /** With one slash before each segment. */
  path: string;
  segments: string[];
  name: string;
  namespace: Namespace;
}

const segment = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,48}[A-Za-z0-9])?";
const plain = new RegExp(`^/?(${segment}(?:/${segment}){0,4})/?$`);
const wild = new RegExp(`^/?(${segment}(?:/${segment}){0,3}/\\*)/?$`);

/** Reads the channel of a request. Throws the error that AWS answers with. */
export function channelOf(text: unknown, operation: keyof Namespace): Channel {
  const given = typeof text === "string" ? text : "";
  const path = (plain.exec(given) ?? (operation === "subscribe" ? wild.exec(given) : null))?.[1];
  if (path === undefined) throw new AwsError("BadRequestException", "Invalid Channel Format");
  const segments = path.split("/");
  const [name = ""] = segments;
  const namespace = namespaces.get(name);
  if (!namespace) throw new AwsError("BadRequestException", `There is no channel namespace ${name}.`);
  return { path: `/${path}`, segments, name, namespace };
}

/** The paths of all subscriptions that get what is published to a channel. */
export function pathsThatHear({ path, segments }: Channel): string[] {
  const parents = segments.slice(0, -1).map((_, index) => `/${segments.slice(0, index + 1).join("/")}/*`);
  return [path, ...parents];
}
