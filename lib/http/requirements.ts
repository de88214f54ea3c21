// What an endpoint requires of a call: its method, its switches (DECISIONS.md#switches) and valid data.
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ApiError, invalidField } from "../errors.ts";
import type { repeatedCredentials } from "../schema/repeated-credentials.ts";
import { howToTurnOn } from "../schema/setting-names.ts";
import type { SettingName, Switch } from "../store/setting.ts";
import { type Caller, type Endpoint, methodsOf } from "./endpoint.ts";
import type { EndpointCall } from "./log-call.ts";
import { readBody, shownName } from "./request.ts";
import { innerUnknownFields, placeOf, unknownFields } from "./unknown-fields.ts";
import { validate } from "./validate.ts";

export interface EndpointRequest {
  method: string;
  path: string;
  host: string;
}

/** The request as its endpoint sees it. The gateway leaves out the body of a reply to HEAD. */
export function requestOf(declared: Endpoint, { requestContext }: APIGatewayProxyEventV2): EndpointRequest {
  const { method, path } = requestContext.http;
  const isHead = method === "HEAD" && methodsOf(declared).includes("GET");
  return { method: isHead ? "GET" : method, path, host: requestContext.domainName };
}

/** The gateway routes every method of a path to its endpoint (DECISIONS.md#unknown-paths-and-methods). */
export function requireMethod(declared: Endpoint, { method }: EndpointRequest): void {
  const methods = methodsOf(declared);
  if (declared.method === "ANY" || methods.includes(method)) return;
  throw new ApiError("INVALID_ARGUMENT", `The method ${method} is not allowed here: use ${methods.join(" or ")}.`, {
    http: { code: 405, headers: { allow: methods.join(", ") } },
  });
}

/** The settings that a call reads at its start: those that its endpoint declares, and those that the kernel needs for it. */
export function settingsOf(declared: Endpoint, isUser: boolean): SettingName[] {
  const implied: SettingName[] = [];
  if (isUser) implied.push("switches", "access", "permissionProvider");
  else if (declared.needs.length > 0) implied.push("switches");
  if (declared.events.length > 0) implied.push("webhooks");
  return [...new Set([...implied, ...declared.settings])];
}

/** Throws FAILED_PRECONDITION when a switch is off. */
export async function checkSwitches(declared: Endpoint, caller: Caller): Promise<void> {
  const switches = await caller.setting("switches");
  const needs: readonly Switch[] = caller.user ? ["browser", ...declared.needs] : declared.needs;
  const off = needs.find((name) => !switches[name]);
  if (!off) return;
  throw new ApiError("FAILED_PRECONDITION", `The switch ${off} is off for this workspace. ${howToTurnOn(off)}`);
}

/** Each call may have these. Only their names are here, because most bundles do not need the schema. */
const repeated = { apiKey: true, authToken: true } satisfies Record<keyof typeof repeatedCredentials, true>;

/** The valid `data` of the request. `fill`: changes it before it is validated. Unknown fields are refused, or noted for the reply. */
export async function dataOf(
  answering: EndpointCall,
  event: APIGatewayProxyEventV2,
  fill: (sent: object) => void = () => {},
) {
  const { declared } = answering;
  const { data: sent, beside } = await readBody(event);
  const isStray = (name: string) => declared.refusesUnknownFields && !Object.hasOwn(repeated, name);
  const stray = beside.find(isStray);
  if (stray !== undefined) throw invalidField([shownName(stray)], 'Must be in "data".');
  fill(sent);
  const unknown = unknownFields(declared.data, sent);
  const isRefused = (name: string) => isStray(name) || placeOf(declared.data, name) !== undefined;
  const refused = unknown.filter(isRefused);
  answering.ignored = [
    ...beside.map((name) => `body.${name}`),
    ...unknown.filter((name) => !isRefused(name)),
    ...innerUnknownFields(declared.data, sent),
  ];
  return validate(declared.data, sent, refused);
}
