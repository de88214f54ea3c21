// One HTTP endpoint as data. Each fact is stated only here. Bundles, routes, IAM policies, OpenAPI, the local server,
// the README's tables and the common tests are made from these declarations.
import type * as z from "zod/mini";
import { commonErrors, type ErrorStatus } from "../errors.ts";
import { canWrite, type Grant, idempotencyGrants } from "../grants.ts";
import type { EventType } from "../schema/events.ts";
import { isHeard } from "../schema/live.ts";
import type { Scope } from "../schema/scopes.ts";
import type { TokenRights } from "../store/access/auth-token.ts";
import type { Bucket } from "../store/call-count.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { SettingName, Settings, Switch } from "../store/setting.ts";
import type { Workspace } from "../store/workspace.ts";
import { fieldNames } from "./schema-fields.ts";

/** A user who calls with a token. */
export interface CallingUser {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
  /** When the token was made, Unix seconds. */
  issuedAt: number;
  /** The user's generation in each organization that the token names. */
  generations: ReadonlyMap<string, number>;
}

/** A workspace whose credentials are valid. */
export interface Caller {
  /** The API key. Every partition key of the workspace's data contains it. */
  workspace: string;
  ref: WorkspaceRef;
  /** The public id of the token, for the log. */
  authTokenId: string;
  rights: TokenRights;
  record: Workspace;
  /** Absent: a server calls. */
  user?: CallingUser;
  /** What counts its calls. */
  buckets: readonly Bucket[];
  /** Begins to read the declared settings. The first reads of the endpoint go into the same request. */
  readSettings(): void;
  /** A setting that the endpoint declares, or that the kernel needs for it, as this call read it. */
  setting<Name extends SettingName>(name: Name): Promise<Settings[Name]>;
}

type Credentials = "workspace" | "none";

export interface EndpointSpec<
  Data extends z.ZodMiniType,
  Reply extends z.ZodMiniType,
  Needed extends Credentials = Credentials,
> {
  /** The name in kebab-case, also of the file, the bundle and the function. It is OpenAPI's operation id. */
  name: string;
  path: `/${string}`;
  /** `FORM`: GET returns a page with a form, and POST takes it. The body of the form is not read. */
  method?: "POST" | "GET" | "ANY" | "FORM";
  /** Its number in lib/CONTRACT.md. An endpoint without one is a companion, as that page explains. */
  contract?: number;
  /** The title: up to six words, imperative, without a full stop. */
  summary: string;
  /** A description in sentences. Absent: the title says everything. */
  description?: string;
  /** Switches that must be on. Otherwise the call is FAILED_PRECONDITION. */
  needs?: readonly Switch[];
  /** Settings that are read together with the credentials. */
  settings?: readonly SettingName[];
  /** Events that it can cause. */
  events?: readonly EventType[];
  grants: readonly Grant[];
  /** Statuses that not every endpoint can return. */
  errors?: readonly ErrorStatus[];
  /** `none`: the endpoint is public. Default `workspace`. */
  credentials?: Needed;
  /**
   * The scope that the auth token must have (DECISIONS.md#scopes). Default: `admin` for paths under `/v2/workspace/`,
   * else `write` for an endpoint that can change the table, else `read`.
   */
  scope?: Scope;
  /**
   * Users may call it with their tokens (DECISIONS.md#calls-of-users). `view`, `edit`: the user needs this access to each
   * document that the call names. A call that names none is about the user's own data in the organization. `self`: the
   * endpoint looks up the access of the caller only. Absent: only servers may call it.
   */
  users?: UserAccess;
  /**
   * `raw`: the reply is the whole body. `page`: it is a page of HTML, and so is a failure for a browser. `bare`: the
   * result has no `data`. Default `standard`: `{result: {status, message, data}}`.
   */
  envelope?: "standard" | "bare" | "raw" | "page";
  /** A repeated call must have the auth token of the first call, because the reply depends on the token's rights. */
  isKeyedByToken?: boolean;
  /** The failure envelope also has the HTTP status, as the number `code`. */
  failureCode?: boolean;
  data: Data;
  /** The example request of the documentation, where one generated from the schema would be unclear. */
  example?: z.input<Data>;
  reply: Reply;
  message: string;
  /** How long anyone may cache a success. Default: not at all. */
  cacheSeconds?: number;
  /** The call's own deadline. Default 10, at most 28: API Gateway ends a call after 30. */
  timeoutSeconds?: number;
  /** Default 512. Lambda assigns CPU in proportion. */
  memoryMb?: number;
  /** Whether it sends requests to addresses that a workspace sets. Then it runs in the deployment's VPC, if any. */
  callsOut?: boolean;
  /** load → decide → write → return. `say`: replaces the message of a success. `addHeaders`: to a success. */
  handle(given: {
    data: z.output<Data>;
    caller: Needed extends "none" ? undefined : Caller;
    request: { method: string; path: string; host: string };
    say: (message: string) => void;
    addHeaders: (headers: Record<string, string>) => void;
  }): Promise<z.input<Reply>>;
}

export type UserAccess = "self" | "view" | "edit";

const defaults = {
  method: "POST",
  needs: [],
  settings: [],
  events: [],
  errors: [],
  credentials: "workspace",
  envelope: "standard",
  isKeyedByToken: false,
  failureCode: false,
  cacheSeconds: 0,
  timeoutSeconds: 10,
  memoryMb: 512,
  callsOut: false,
} as const;

type Optional = "contract" | "description" | "example" | "users";

export type Endpoint<
  Data extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
> = Required<Omit<EndpointSpec<Data, Reply>, Optional>> &
  Pick<EndpointSpec<Data, Reply>, Optional> & {
    kind: "endpoint";
    companion: boolean;
    /** Follows from the path: the endpoint deletes or revokes. An unknown field must not make it delete more. */
    refusesUnknownFields: boolean;
    /** Follows from the grants. A write accepts the header Idempotency-Key and gets `idempotencyGrants`. */
    isWrite: boolean;
  };

/** Declares an HTTP endpoint. */
export function endpoint<
  Data extends z.ZodMiniType,
  Reply extends z.ZodMiniType,
  Needed extends Credentials = "workspace",
>(spec: EndpointSpec<Data, Reply, Needed>): Endpoint<Data, Reply> {
  const isWrite = canWrite(spec.grants) && spec.credentials !== "none";
  if (spec.users && !canBeForUsers(spec)) throw new Error(`${spec.name}: users cannot call it.`);
  // An endpoint that causes events sends messages to the outbox's queue.
  const caused: Grant[] = [...spec.grants, ...(spec.events?.length ? (["queue:fanout"] as const) : [])];
  if (spec.events?.some(isHeard)) caused.push("live:publish");
  const ofEach: readonly Grant[] = spec.credentials === "none" ? [] : ["table:calls"];
  const grants = isWrite ? [...new Set([...caused, ...idempotencyGrants])] : [...caused, ...ofEach];
  const scope = spec.scope ?? (spec.path.startsWith("/v2/workspace/") ? "admin" : isWrite ? "write" : "read");
  const companion = spec.contract === undefined;
  const refusesUnknownFields = /\/(?:delete|remove|revoke)$/.test(spec.path);
  return { ...defaults, ...spec, grants, scope, kind: "endpoint", companion, refusesUnknownFields, isWrite };
}

/** Users call what belongs to an organization, never what belongs to the workspace. */
const canBeForUsers = ({
  path,
  credentials,
  data,
}: Pick<EndpointSpec<z.ZodMiniType, z.ZodMiniType>, "path" | "credentials" | "data">) =>
  credentials !== "none" && !path.startsWith("/v2/workspace/") && fieldNames(data).includes("organizationId");

/** The methods that the endpoint takes. */
export const methodsOf = ({ method }: Pick<Endpoint, "method">): string[] =>
  method === "FORM" ? ["GET", "POST"] : [method];

/** Statuses of endpoints with credentials. Without credentials, there is no workspace to refuse or to limit. */
const ofCallers: readonly ErrorStatus[] = ["PERMISSION_DENIED", "RESOURCE_EXHAUSTED"];

/** Every status with which a call can fail. */
export function errorsOf({ credentials, errors, isWrite, users }: Endpoint): ErrorStatus[] {
  const common = commonErrors.filter((status) => credentials !== "none" || !ofCallers.includes(status));
  const ofWrites = isWrite ? (["ABORTED"] as const) : [];
  const ofUsers = users ? (["FAILED_PRECONDITION"] as const) : [];
  return [...new Set<ErrorStatus>([...common, ...ofWrites, ...ofUsers, ...errors])];
}
