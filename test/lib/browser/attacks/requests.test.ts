// Other forms of a request than those that a client sends.
import { beforeAll, describe, expect, it } from "vitest";
import { crdtUpdate } from "../../../../functions/editor-content/crdt-update.ts";
import { presenceAdd } from "../../../../functions/presence/presence-add.ts";
import { presenceGet } from "../../../../functions/presence/presence-get.ts";
import { type Attacked, newAttacked } from "../../../support/attacked.ts";
import { call } from "../../../support/call.ts";
import { logText } from "../../../support/capture-logs.ts";
import { newContainers } from "../../../support/exact/containers.ts";
import { partsOf } from "../../../support/forged.ts";
import { expectRefused } from "../../../support/refusal.ts";
import { dataOf, forUsers, requestsOn } from "../../../support/user-requests.ts";
import { callAs, newWorkspaceForUsers } from "../../../support/users.ts";
import { organizationId } from "../../../support/workspace.ts";

let attacked: Attacked;
beforeAll(async () => {
  attacked = await newAttacked();
});

const data = { organizationId, documentId: "d" };
const withHeaders = (headers: object) => call(presenceGet, { data, headers: { ...headers } });
const server = ({ as }: Attacked) => ({ "x-service-api-key": as.apiKey, "x-service-auth-token": as.authToken });

describe("the credentials of a user and of a server together", () => {
  it.each(forUsers)("are refused: $name", async (declared) => {
    const { ann, as } = attacked;
    const before = await dataOf(as);
    const sent = { data: { organizationId, ...requestsOn("d")[declared.name] } };
    const headers = { ...server(attacked), authorization: `Bearer ${ann}` };
    const message = /^Send a user's token in authorization, or a server's in x-service-auth-token, not both\.$/;
    expectRefused(await call(declared, { ...sent, headers }), "PERMISSION_DENIED", message);
    expect(await dataOf(as)).toEqual(before);
  });

  it.each(["Bearer", "Bearer ", "bearer x", "BEARER", "Bearer\tx"])("are refused with %j", async (authorization) => {
    expectRefused(await withHeaders({ ...server(attacked), authorization }), "PERMISSION_DENIED", /not both/);
  });

  it("are refused with an empty token of a server", async () => {
    const headers = { authorization: `Bearer ${attacked.ann}`, "x-service-auth-token": "" };
    expectRefused(await withHeaders(headers), "PERMISSION_DENIED", /not both/);
  });
});

describe("another workspace's key beside the token", () => {
  it.each(["unknown", "known"])("is refused by a container to which the token is %s", async (kind) => {
    const { apiKey } = await newWorkspaceForUsers();
    const token = `Bearer ${attacked.ann}`;
    newContainers();
    if (kind === "known") expect((await withHeaders({ authorization: token })).status).toBe(200);
    for (const key of [apiKey, "", `${attacked.as.apiKey} `, `${attacked.as.apiKey},${apiKey}`]) {
      const reply = await withHeaders({ authorization: token, "x-service-api-key": key });
      expectRefused(reply, "PERMISSION_DENIED", /of another workspace/);
    }
    expect((await withHeaders({ authorization: token, "x-service-api-key": attacked.as.apiKey })).status).toBe(200);
  });
});

describe("a token is taken from the header alone, in its one form", () => {
  const forms: Record<string, (token: string) => object> = {
    "another scheme": (token) => ({ authorization: `Token ${token}` }),
    "no scheme": (token) => ({ authorization: token }),
    "two tokens": (token) => ({ authorization: `Bearer ${token} ${token}` }),
    "two headers, joined by the gateway": (token) => ({ authorization: `Bearer ${token},Bearer ${token}` }),
    "two headers, joined with a space": (token) => ({ authorization: `Bearer ${token}, Bearer ${token}` }),
    quotes: (token) => ({ authorization: `Bearer "${token}"` }),
    "a space behind it": (token) => ({ authorization: `Bearer ${token} ` }),
    "a space before it": (token) => ({ authorization: ` Bearer ${token}` }),
    "a tabulator": (token) => ({ authorization: `Bearer\t${token}` }),
    "a colon": (token) => ({ authorization: `Bearer: ${token}` }),
    "a cookie": (token) => ({ cookie: `authorization=${token}; token=${token}` }),
    "the header of a server": (token) => ({ "x-service-auth-token": token }),
    "the headers of a server": (token) => ({
      "x-service-auth-token": token,
      "x-service-api-key": attacked.as.apiKey,
    }),
    "the header of a proxy": (token) => ({ "x-forwarded-authorization": `Bearer ${token}` }),
  };

  it.each(Object.entries(forms))("not with %s", async (_, headersOf) => {
    const { error } = await withHeaders(headersOf(attacked.ann));
    expect(error?.status).toBe("PERMISSION_DENIED");
  });

  it("not from the body", async () => {
    const body = JSON.stringify({ token: attacked.ann, authorization: `Bearer ${attacked.ann}`, data });
    expectRefused(await call(presenceGet, { body }), "PERMISSION_DENIED");
  });

  it.each(["Bearer", "bearer", "BEARER", "Bearer  "])("with %j", async (scheme) => {
    expect((await withHeaders({ authorization: `${scheme} ${attacked.ann}` })).status).toBe(200);
  });
});

describe("another method", () => {
  it.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "post"])("has no effect: %s", async (method) => {
    const before = await dataOf(attacked.as);
    const headers = { authorization: `Bearer ${attacked.eve}` };
    expectRefused(await call(presenceAdd, { data, method, headers }), "INVALID_ARGUMENT", /use POST/, 405);
    expect(await dataOf(attacked.as)).toEqual(before);
  });

  it("is not taken from a header, which cannot make OPTIONS a call either", async () => {
    const headers = { authorization: `Bearer ${attacked.eve}`, "x-http-method-override": "POST" };
    const before = await dataOf(attacked.as);
    const reply = await call(presenceAdd, { data, method: "OPTIONS", headers });
    expect(reply).toMatchObject({ status: 204, body: "" });
    expect(await dataOf(attacked.as)).toEqual(before);
  });
});

describe("a body in another form", () => {
  it("in base64 is checked as any other", async () => {
    const update = { ...requestsOn("d")["crdt-update"], organizationId };
    const headers = { authorization: `Bearer ${attacked.eve}` };
    const body = Buffer.from(JSON.stringify({ data: update })).toString("base64");
    expectRefused(await call(crdtUpdate, { body, isBase64Encoded: true, headers }), "PERMISSION_DENIED", /no access/);
    const named = { ...data, users: [{ userId: "bob" }] };
    const other = Buffer.from(JSON.stringify({ data: named })).toString("base64");
    const reply = await call(presenceAdd, { body: other, isBase64Encoded: true, headers });
    expectRefused(reply, "PERMISSION_DENIED", /must be the user of the token/);
  });

  it("of a form on a foreign page is refused", async () => {
    const headers = { authorization: `Bearer ${attacked.eve}`, "content-type": "text/plain" };
    expectRefused(await call(presenceAdd, { data, headers }), "INVALID_ARGUMENT", /content type/);
  });
});

it("the log has no token of a user", async () => {
  await callAs(attacked.ann, presenceGet, { documentId: "d" });
  await callAs(`${attacked.ann}x`, presenceGet, { documentId: "d" });
  await withHeaders({ authorization: attacked.ann });
  const [, claims, signature] = attacked.ann.split(".") as [string, string, string];
  expect(logText()).toContain(partsOf(attacked.ann).claims.jti);
  expect(logText()).not.toContain(claims);
  expect(logText()).not.toContain(signature);
});
