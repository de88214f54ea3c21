// The introduction of the OpenAPI document, in Markdown.
import { type ErrorStatus, httpStatus } from "../../lib/errors.ts";
import { apiKeyHeader, authTokenHeader } from "../../lib/http/auth.ts";
import { idempotencyKeyHeader } from "../../lib/http/idempotency.ts";
import { ignoredFieldsHeader } from "../../lib/http/unknown-fields.ts";
import { meanings } from "./failures.ts";
import type { Keys } from "./operation.ts";

const rows = (Object.keys(httpStatus) as ErrorStatus[]).map(
  (status) => `| \`${status}\` | ${httpStatus[status]} | ${meanings[status].means} | ${meanings[status].todo} |`,
);

/** `api`: the origin of the first call. `keys`: its keys. */
export const introductionFor = (
  api: string,
  { apiKey, authToken }: Keys = { apiKey: "YOUR_API_KEY", authToken: "YOUR_AUTH_TOKEN" },
) => `Organizations have users, folders and documents. Users comment, edit together, see who is present and are notified.
Your server calls this API with secret keys. A page calls a part of it with the token of its user.

## A first call

\`\`\`sh
curl ${api}/v2/organizations/add \\
  -H 'content-type: application/json' \\
  -H '${apiKeyHeader}: ${apiKey}' \\
  -H '${authTokenHeader}: ${authToken}' \\
  -d '{"data": {"organizations": [{"organizationId": "acme"}]}}'
\`\`\`

The examples of this document tell one story, in its order. They work on a new workspace as they stand. In the
demo workspace of \`npm start -- --example\`, some of what they add exists already, and the replies say so. Ids that the
service makes, such as a \`jobId\`, differ: use those of your replies. Calls that ask a language model need a key of its
vendor in the workspace.

## Credentials

Every call has two headers: \`${apiKeyHeader}\` names the workspace, and \`${authTokenHeader}\` is a secret token of it. A token
has scopes: \`read\`, \`write\` and \`admin\`. None includes another, and each operation says which it needs. A few public
operations need no headers. Locations are special: their two calls want the keys in \`data\` too.

A page or an app sends \`authorization: Bearer TOKEN\` in their place, with a token that auth/generate_token has made for
its user. Each operation says whether a user's token opens it, and the list of this page marks it with \`users\`. The workspace needs the switch \`browser\`, and a page an
allowed domain (domains/add). The user's access is resolved at each call.

## Requests and replies

Every call is a \`POST\` with a JSON body \`{"data": {...}}\`, except a few \`GET\`s. A success is
\`{"result": {"status", "message", "data"}}\`, with HTTP 200. Operations that differ say so in their schemas.
Every reply has the header \`x-request-id\`, which finds the call in the logs.

A call with several items has a result for each: \`success\` is \`true\`, or \`false\` with a \`code\`. One bad item does not
stop the others, and the reply is a success.

Each path that begins with \`/v1\` is also served under \`/v2\`, and the other way round.

## Failures

A failure is \`{"error": {"status", "message", "details"?}}\`. Decide by \`status\`; the texts are for developers.

| Status | HTTP | Meaning | What to do |
| --- | --- | --- | --- |
${rows.join("\n")}

A wrong method is INVALID_ARGUMENT with HTTP 405. API Gateway itself returns 413, 429 and 503 as \`{"message"}\` for requests
that do not reach the service.

## Safe retries

Calls that write accept the header \`${idempotencyKeyHeader}\`. Send a new random key with each call, and the same key when
you repeat it: for 24 hours, the call has its effect once, and the repetition gets the first reply.

## Pages

Lists have pages. \`pageSize\` is 1 to 100, and 50 by default. Send \`nextPageToken\` of a reply as \`pageToken\`, with the same
other fields, until it is \`null\`. A page can have fewer entries than asked for although more follow.

## Fields

- Ids of organizations, folders, documents, users and the like are yours: 1 to 256 characters, compared exactly.
- Unknown fields in \`data\` are ignored, and the header \`${ignoredFieldsHeader}\` names them. Look at it when a field has no
  effect. Deletions refuse unknown fields of \`data\` itself, so that a misspelled one does not widen them.
- \`null\` is the same as an absent field, unless the field says that null clears it.
- Replies and webhook messages can get new fields. Ignore those that you do not know, and unknown values of enums.

## Units and times

Times in replies are ISO 8601 in UTC. \`expiresAt\` is Unix time in seconds. Names say other units: \`lifetimeSeconds\`,
\`durationMs\`, \`sizeBytes\`. Integers fit into 53 bits. Lengths of texts are in bytes of UTF-8, or in Unicode characters
where it says so.

## Limits

A request has at most 6 MB, a list in it at most 1,000 entries, and a text at most 65,536 bytes, unless the field says
otherwise. A workspace can have a limit of calls a second; beyond it, a call is RESOURCE_EXHAUSTED with \`retry-after\`.
`;
