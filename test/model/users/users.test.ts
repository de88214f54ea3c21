// Random calls of users in random worlds. A success needs the role that a server sees, a refusal changes nothing, what
// a user may not see changes no reply, and a call does what a server's call in the user's name does.
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { call, must, type Reply } from "../../support/call.ts";
import { drawAs } from "../../support/exact/draws.ts";
import { casesOf } from "../../support/long.ts";
import fc from "../../support/property.ts";

import { byName, dataOf as stored } from "../../support/user-requests.ts";
import { organizationId } from "../../support/workspace.ts";
import { asServer, dataOf, namedIn, type Request, request } from "./requests.ts";
import { change, changeUnseen, load, newTemplate, type Template } from "./world.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

let template: Template;
beforeAll(async () => {
  template = await newTemplate();
});

const documentIds = ["d", "hidden", "deep", "missing"];

interface Case {
  request: Request;
  changes: { do: string; answers?: Record<string, string | undefined> }[];
  /** Which change a user does not see. */
  unseen: number;
}

const cases = fc.record({ request, changes: fc.array(change, { maxLength: 3 }), unseen: fc.nat(100) });

const send = (given: Request): Promise<Reply> => {
  drawAs("call");
  const key = given.key === undefined ? {} : { "idempotency-key": given.key };
  const headers = { authorization: `Bearer ${template.tokens[given.userId]}`, ...key };
  return call(byName(given.name), { data: dataOf(given), headers });
};

/** The role on the document, as a server sees it now. */
async function roleOn({ request: { userId, ...on }, changes }: Case, documentId: string): Promise<string | undefined> {
  const data = { organizationId: on.organizationId, userIds: [userId], documentIds: [documentId] };
  const provider = changes.findLast((each) => each.do === "provider");
  if (!provider) return rolesIn(await call(permissionsGet, { as: template.as, data }), userId)[documentId]?.accessRole;
  const isOwn = on.organizationId === "o" && (await exists(documentId));
  const answers = changes.flatMap(({ answers = {} }) => Object.entries(answers));
  return isOwn ? answers.findLast(([id]) => id === documentId)?.[1] : undefined;
}

/** A failure has the entries too. */
const rolesIn = ({ data, error }: Reply, userId: string) =>
  ((data ?? error?.details)?.[userId]?.documents ?? {}) as Record<string, { accessRole?: string }>;

async function exists(documentId: string): Promise<boolean> {
  const data = { organizationId: "o", documentIds: [documentId] };
  return (await must(byName("documents-get"), { as: template.as, data })).documents.length === 1;
}

/** Whose names changed items have that they did not have before. */
function actorsIn(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const named = (item: unknown) =>
    [
      ...JSON.stringify(item ?? {}).matchAll(
        /(?:from|actionUser)\\*":\{\\*"userId\\*":\\*"(\w+)|actionUserId\\*":\\*"(\w+)/g,
      ),
    ].map(([, one, other]) => one ?? other ?? "");
  return Object.entries(after).flatMap(([key, item]) => {
    const former = named(before[key]);
    return JSON.stringify(item) === JSON.stringify(before[key])
      ? []
      : named(item).filter((each) => !former.includes(each));
  });
}

it("a call succeeds only with the role, a refusal changes nothing, and who acts is the user", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (given) => {
      const { request: made, changes } = given;
      const ended = await load(template, made.userId, changes);
      const before = await stored(template.as);
      const { status } = await send(made);
      const after = await stored(template.as);
      const declared = byName(made.name);
      if (status !== 200 && made.key === undefined) expect(after).toEqual(before);
      if (status !== 200) return;
      expect(made.organizationId === organizationId ? ["nowhere"] : ["nowhere", "in the organization"]).toContain(
        ended,
      );
      if (made.actor === "bob") expect(namedIn(made.name, {}, "bob")).toEqual({});
      if (declared.users === "edit") expect(await roleOn(given, made.documentId)).toBe("editor");
      else if (JSON.stringify(dataOf(made)).includes("documentId")) {
        if (declared.users === "view" || made.name === "live-open")
          expect(await roleOn(given, made.documentId)).toBeDefined();
      }
      expect(actorsIn(before, after).filter((each) => each !== made.userId)).toEqual([]);
    }),
    casesOf(24),
  );
});

it("what a user may not see changes no reply", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (given) => {
      const { request: made, changes, unseen } = given;
      const roles = async () => Promise.all(documentIds.map((id) => roleOn(given, id)));
      await load(template, made.userId, changes);
      const before = await roles();
      const reply = await send(made);
      await load(template, made.userId, changes);
      const forbidden = documentIds.filter((id, index) => id !== "missing" && before[index] === undefined);
      await changeUnseen(template, forbidden[unseen % Math.max(1, forbidden.length)], unseen);
      // With another default, everyone sees a new document.
      if (!isDeepStrictEqual(await roles(), before)) return;
      expect({ ...(await send(made)), headers: {} }).toEqual({ ...reply, headers: {} });
    }),
    casesOf(18),
  );
});

it("a call stores what a server's call in the name of the user stores", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ request: given, changes }) => {
      const made = { ...given, key: undefined };
      await load(template, made.userId, changes);
      const reply = await send(made);
      if (reply.status !== 200 || JSON.stringify(reply.body).includes('"success":false')) return;
      const after = await stored(template.as);
      await load(template, made.userId, changes);
      drawAs("call");
      const person = { userId: made.userId, name: `The ${made.userId}`, email: `${made.userId}@example.com` };
      await call(byName(made.name), { as: template.as, data: asServer(made.name, dataOf(made), person) });
      expect(read(await stored(template.as))).toEqual(read(after));
    }),
    casesOf(18),
  );
});

/** With records as objects, since the fields of two equal ones can have another order. */
const read = (items: unknown): unknown =>
  JSON.parse(JSON.stringify(items), (_, value) => (/^\{.*\}$/s.test(value) ? JSON.parse(value) : value));
