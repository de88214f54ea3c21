// One HTTP endpoint as data. Bundles, routes, IAM, OpenAPI, the local server, the README's tables and the common
// tests are loops over these declarations, so what is said here is said nowhere else.
import type * as z from "zod/mini";
import { commonErrors, type ErrorStatus } from "../errors.ts";
import { canWrite, type Grant, idempotencyGrants } from "../grants.ts";
import type { EventType } from "../schema/events.ts";
import type { SettingName, Settings, Switch } from "../store/setting.ts";
import type { Workspace } from "../store/workspace.ts";

export const groups = ["access", "content", "workspace", "collaboration", "ai"] as const;
/** The contract's five groups. `fallback` is the function for requests that match no route. */
export type Group = (typeof groups)[number] | "fallback";

/** Who calls: a workspace whose credentials hold. Absent where an endpoint takes none. */
export interface Caller {
  /** The API key: the first segment of every key in the table. */
  workspace: string;
  record: Workspace;
  /** A setting that the endpoint declares, as it is now. */
  setting<Name extends SettingName>(name: Name): Promise<Settings[Name]>;
}

export interface Call<Data> {
  data: Data;
  caller: Caller;
  request: { method: string; path: string; host: string };
}

export interface EndpointSpec<Data extends z.ZodMiniType, Reply extends z.ZodMiniType> {
  /** kebab-case; the file's name, the bundle's, the function's and OpenAPI's operation id. */
  name: string;
  path: `/${string}`;
  method?: "POST" | "GET" | "ANY";
  group: Group;
  /** Its number in lib/CONTRACT.md. Without one it is a companion, as that page says. */
  contract?: number;
  summary: string;
  /** Switches that must be on, else FAILED_PRECONDITION. */
  needs?: readonly Switch[];
  /** Settings read with the credentials, in the same round trip. */
  settings?: readonly SettingName[];
  /** Events that it can cause. */
  events?: readonly EventType[];
  grants: readonly Grant[];
  /** Statuses beyond those that every endpoint can return. */
  errors?: readonly ErrorStatus[];
  /** `none`: no credentials are asked for. Default `workspace`. */
  credentials?: "workspace" | "none";
  /**
   * `raw`: the reply is the body. `bare`: there is no `data`. Default `standard`: `{result: {status, message, data}}`.
   */
  envelope?: "standard" | "bare" | "raw";
  /** The failure envelope carries the HTTP status too, as the number `code`. */
  failureCode?: boolean;
  data: Data;
  /** The documentation's request, where one made from the schema would say too little. */
  example?: z.input<Data>;
  reply: Reply;
  message: string;
  /** The call's own deadline. Default 10; at most 28, since API Gateway ends at 30. */
  timeoutSeconds?: number;
  /** Default 512; CPU comes with it. */
  memoryMb?: number;
  /** load → decide → write → return. */
  handle(call: Call<z.output<Data>>): Promise<z.input<Reply>>;
}

const defaults = {
  method: "POST",
  needs: [],
  settings: [],
  events: [],
  errors: [],
  credentials: "workspace",
  envelope: "standard",
  failureCode: false,
  timeoutSeconds: 10,
  memoryMb: 512,
} as const;

type Optional = "contract" | "example";

export type Endpoint<
  Data extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
> = Required<Omit<EndpointSpec<Data, Reply>, Optional>> &
  Pick<EndpointSpec<Data, Reply>, Optional> & {
    kind: "endpoint";
    companion: boolean;
    /** By its grants. It takes the header Idempotency-Key, and is granted what that needs. */
    isWrite: boolean;
  };

/** Declares an HTTP endpoint. */
export function endpoint<Data extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  spec: EndpointSpec<Data, Reply>,
): Endpoint<Data, Reply> {
  const isWrite = canWrite(spec.grants) && spec.credentials !== "none";
  // An endpoint that causes events sends messages to the outbox's queue.
  const caused: readonly Grant[] = spec.events?.length ? [...spec.grants, "queue:fanout"] : spec.grants;
  const grants = isWrite ? [...new Set([...caused, ...idempotencyGrants])] : caused;
  return { ...defaults, ...spec, grants, kind: "endpoint", companion: spec.contract === undefined, isWrite };
}

/** Every status that a call can fail with. */
export function errorsOf({ credentials, errors, isWrite }: Endpoint): ErrorStatus[] {
  const common = commonErrors.filter((status) => credentials !== "none" || status !== "PERMISSION_DENIED");
  return [...new Set<ErrorStatus>([...common, ...(isWrite ? (["ABORTED"] as const) : []), ...errors])];
}
