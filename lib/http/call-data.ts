import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { repeatedCredentials } from "../schema/repeated-credentials.ts";
import type { EndpointCall } from "./log-call.ts";
import { readData } from "./request.ts";
import { innerUnknownFields, placeOf, unknownFields } from "./unknown-fields.ts";
import { validate } from "./validate.ts";

/** The valid `data` of the request. Unknown fields are refused, or noted for the reply. */
export async function dataOf(answering: EndpointCall, event: APIGatewayProxyEventV2) {
  const { declared } = answering;
  const sent = await readData(event);
  const unknown = unknownFields(declared.data, sent);
  const isRefused = (name: string) =>
    (declared.refusesUnknownFields && !Object.hasOwn(repeatedCredentials, name)) ||
    placeOf(declared.data, name) !== undefined;
  const refused = unknown.filter(isRefused);
  answering.ignored = [...unknown.filter((name) => !isRefused(name)), ...innerUnknownFields(declared.data, sent)];
  return validate(declared.data, sent, refused);
}
