// What users see of people: the id and the name (DECISIONS.md#calls-of-users). Each field of the world that can name a
// person has an address that no user may see.
import { expect, it } from "vitest";
import { notify } from "../../../functions/workers/notify.ts";
import { endpoints } from "../../../infra/deployables.ts";
import { requestExample } from "../../../infra/openapi/operation.ts";
import { inReadingOrder } from "../../../infra/openapi/reading-order.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { sendWithPerson, withPerson, words, zoe } from "../../support/contract/person-in-fields.ts";
import { named } from "../../support/contract/requests.ts";
import { withoutFreeForm } from "../../support/contract/without-free-form.ts";
import { deliver } from "../../support/run-worker.ts";
import { openJobs } from "../../support/scan.ts";
import { asUsersSend } from "../../support/users.ts";

const given = { owner: zoe, story: "a" };
const [organizationId, documentId] = ["acme", "plan"].map((id) => `${words.ids}_${given.story}_${id}`);

const inOrder = inReadingOrder(endpoints).flatMap(({ groups }) => groups.flatMap((group) => group.endpoints));
const isEnd = /\/(?:delete|remove|revoke|rotate|retry|migrate)$/;
const writes = inOrder.filter(({ path, scope, isWrite }) => isWrite && scope === "write" && !isEnd.test(path));

/** The workspace, and the token of a user whom its people notify. */
async function newWorld(): Promise<{ as: Credentials; token: string }> {
  const as = await newWorkspace();
  for (const endpoint of writes) await sendWithPerson(endpoint, as, given);
  for (const { id, kind } of await openJobs()) if (kind === notify.jobs) await deliver(notify, [id]);
  await Setting.update({ workspace: as.apiKey }, "switches", { browser: true });
  const resources = [{ type: "organization", id: organizationId }];
  const userProperties = { name: "Bob", email: "bob@example.com" };
  const data = { userId: "bob", userProperties, permissions: { resources } };
  return { as, token: (await must(named("token-generate"), { as, data })).token };
}

function requestsOf(endpoint: Endpoint): object[] {
  if (endpoint.name !== "documents-data-get")
    return [withPerson(endpoint.data, requestExample(endpoint), given) as object];
  return ["comments", "reactions", "recordings"].map((kind) => ({ organizationId, documentId, kind }));
}

const address = new RegExp(`${zoe.email}|"email":"${words.text}"`);
const hasAddress = (value: unknown) => address.test(`${JSON.stringify(value)}`);

/** What the application or another user has written there is shown as it is. */
const freeForm = [
  "data",
  "items.comments.metadata",
  "items.location",
  "items.metadata",
  "notifications.notificationSourceData",
  "users.metadata",
];

it("no reply to a user has the address of a person, apart from fields that take anything", async () => {
  const { as, token } = await newWorld();
  const headers = { authorization: `Bearer ${token}` };
  const [places, showing] = [new Set<string>(), new Set<string>()];
  for (const endpoint of inOrder.filter(({ users }) => users)) {
    for (const request of requestsOf(endpoint)) {
      const data = asUsersSend(endpoint, request);
      if (!endpoint.isWrite) {
        const reply = await call(endpoint, { as, data: { userId: "bob", userIds: ["bob"], ...data } });
        if (hasAddress(withoutFreeForm(endpoint.reply, reply.data))) showing.add(endpoint.name);
      }
      const { body, error } = await call(endpoint, { data, headers });
      const shown = error
        ? body
        : withoutFreeForm(endpoint.reply, body.result?.data, (place) => void places.add(place));
      expect([endpoint.name, hasAddress(shown)]).toEqual([endpoint.name, false]);
    }
  }
  // To servers, these show addresses.
  expect([...showing].sort()).toEqual(["documents-data-get", "notifications-get", "presence-get"]);
  expect([...places].sort()).toEqual(freeForm);
});
