// Calls in the name of another: the id of bob in each field that says who acts, in each form that JSON allows.
import { beforeAll, expect, it } from "vitest";
import { documentsDataAdd } from "../../../../functions/comments/documents-data-add.ts";
import { presenceAdd } from "../../../../functions/presence/presence-add.ts";
import type { ErrorStatus } from "../../../../lib/errors.ts";
import { type Attacked, newAttacked } from "../../../support/attacked.ts";
import { call, must } from "../../../support/call.ts";
import { expectRefused } from "../../../support/refusal.ts";
import { byName, dataOf, requestsOn } from "../../../support/user-requests.ts";
import { callAs, tokenOf } from "../../../support/users.ts";
import { organizationId } from "../../../support/workspace.ts";

const bob = { userId: "bob" };
const documentId = "d";
const location = { id: "1" };

let attacked: Attacked;
beforeAll(async () => {
  attacked = await newAttacked();
});

let users = 0;
/** Each call is of another editor, who has calls left. */
const newEditor = () => tokenOf(attacked.as, `editor ${users++}`);

const withUsers = (name: string, more: object) => ({ ...requestsOn(documentId)[name], ...more });
const comment = (more: object) => ({ commentId: "x", text: "?", ...more });
const added = (more: object) => ({ documentId, location, ...more });

const requests: [name: string, what: string, data: object][] = [
  ...["commentannotations-update", "comments-add", "comments-delete", "comments-update"].map(
    (name): [string, string, object] => [name, "actionUser", withUsers(name, { actionUser: bob })],
  ),
  ["documents-data-delete", "actionUser", withUsers("documents-data-delete", { actionUser: bob })],
  ["documents-data-add", "actionUser", withUsers("documents-data-add", { actionUser: bob })],
  ["comments-add", "from", withUsers("comments-add", { comments: [comment({ from: bob })] })],
  [
    "comments-add",
    "from of the second",
    withUsers("comments-add", { comments: [comment({}), comment({ commentId: "y", from: bob })] }),
  ],
  ["documents-data-add", "from of a thread", added({ comments: [{ annotationId: "x", from: bob }] })],
  [
    "documents-data-add",
    "from of a comment in a thread",
    added({ comments: [{ annotationId: "x", comments: [comment({ from: bob })] }] }),
  ],
  ["documents-data-add", "from of a reaction", added({ reactions: [{ reactionId: "x", from: bob }] })],
  ["documents-data-add", "from of a recording", added({ recordings: [{ recordingId: "x", from: bob }] })],
  ["presence-add", "users", withUsers("presence-add", { users: [bob] })],
  ["presence-add", "users beside the own one", withUsers("presence-add", { users: [{}, bob] })],
  ["presence-delete", "userIds", withUsers("presence-delete", { userIds: ["bob"] })],
  ["notifications-config-get", "userId", withUsers("notifications-config-get", bob)],
  ["notifications-config-set", "userIds", withUsers("notifications-config-set", { userIds: ["bob"] })],
  ["notifications-delete", "userId", { notificationIds: ["n"], ...bob }],
  ["notifications-get", "userId", bob],
  ["notifications-read", "userId", bob],
  ["permissions-get", "userIds", withUsers("permissions-get", { userIds: ["bob"] })],
];

/** Expects that the call is refused, and changes nothing. */
async function expectNoEffect(
  token: string,
  name: string,
  data: object | string,
  status?: ErrorStatus,
  message?: RegExp,
) {
  const before = await dataOf(attacked.as);
  const body = typeof data === "string" ? data : JSON.stringify({ data: { organizationId, ...data } });
  const reply = await call(byName(name), { body, headers: { authorization: `Bearer ${token}` } });
  expectRefused(reply, status ?? (reply.error?.status as ErrorStatus), message);
  expect(await dataOf(attacked.as)).toEqual(before);
}

it.each(requests)("%s is refused with bob in %s", async (name, _, data) => {
  const message = /^The field data\..+ must be the user of the token, or absent\.$/;
  await expectNoEffect(await newEditor(), name, data, "PERMISSION_DENIED", message);
});

const forms = {
  "a list": '[{"userId":"bob"}]',
  "a list of lists": '[[{"userId":"bob"}]]',
  "a text": '"bob"',
  "an id in a list": '{"userId":["bob"]}',
  "an id in an object": '{"userId":{"userId":"bob"}}',
  "the id twice": '{"userId":"OWN","userId":"bob"}',
  "the id twice, the own one last": '{"userId":"bob","userId":"OWN"}',
  "the id twice, once with an escape": '{"userId":"OWN","user\\u0049d":"bob"}',
  "the prototype": '{"userId":"OWN","__proto__":{"userId":"bob"}}',
  "the prototype alone": '{"__proto__":{"userId":"bob"}}',
  "an escape in the prototype": '{"__pro\\u0074o__":{"userId":"bob"}}',
  "another case": '{"userId":"OWN2"}',
  "a space behind the own id": '{"userId":"OWN "}',
  "a letter of no width": '{"userId":"OWN\u200b"}',
  "a control character": '{"userId":"OWN\\u0000"}',
  "a number": '{"userId":7}',
  "a truth": '{"userId":true}',
  "an empty id": '{"userId":""}',
};

it.each(Object.entries(forms))("is refused with %s in from", async (_, form) => {
  const token = await newEditor();
  const from = form.replace("OWN2", `Editor ${users - 1}`).replace("OWN", `editor ${users - 1}`);
  const thread = `{"annotationId":"x","comments":[{"commentId":"y","from":${from}}]}`;
  const data = `{"organizationId":"o","documentId":"d","location":{"id":"1"},"comments":[${thread}]}`;
  await expectNoEffect(token, "documents-data-add", `{"data":${data}}`);
});

it.each([
  ["a list of lists", [["bob"]]],
  ["an object", { 0: "bob" }],
  ["a text", "bob"],
  ["an object in the list", [{ userId: "bob" }]],
  ["the own id and bob", ["OWN", "bob"]],
  ["an empty list", []],
])("is refused with %s as userIds", async (_, given) => {
  const token = await newEditor();
  const userIds = JSON.parse(JSON.stringify(given).replace("OWN", `editor ${users - 1}`));
  await expectNoEffect(token, "presence-delete", { documentId, userIds });
  await expectNoEffect(token, "notifications-config-set", { documentIds: [], userIds, config: { inbox: "NONE" } });
});

it.each([
  ["data twice", '{"data":{"organizationId":"o","userId":"bob"},"data":{"organizationId":"o"}}'],
  ["data as a list", '{"data":[{"organizationId":"o","userId":"bob"}]}'],
  ["data in the prototype", '{"__proto__":{"data":{"organizationId":"o","userId":"bob"}}}'],
  ["the user in the prototype", '{"data":{"organizationId":"o","__proto__":{"userId":"bob"}}}'],
])("is refused with %s", async (_, body) => {
  await expectNoEffect(await newEditor(), "notifications-get", body);
});

it("stores the name and the address of the token, whatever the page says", async () => {
  const token = await newEditor();
  const own = `editor ${users - 1}`;
  const from = { userId: own, name: "The bob", email: "bob@example.com", constructor: bob };
  const comments = [{ annotationId: own, from: { name: "Bob", email: null }, comments: [comment({ from })] }];
  expect((await callAs(token, documentsDataAdd, added({ comments, actionUser: from }))).status).toBe(200);
  expect((await callAs(token, presenceAdd, { documentId, users: [{ ...from, metadata: {} }] })).status).toBe(200);
  const seen = { userId: own, name: `The ${own}`, email: `${own}@example.com` };
  const on = { organizationId, documentId };
  const stored = await must(byName("documents-data-get"), {
    as: attacked.as,
    data: { ...on, kind: "comments", ids: [own] },
  });
  expect([stored.items[0].from, stored.items[0].comments[0].from]).toEqual([seen, seen]);
  const { users: present } = await must(byName("presence-get"), { as: attacked.as, data: { ...on, pageSize: 100 } });
  expect(present).toContainEqual(expect.objectContaining(seen));
});

const time = "2020-01-01T00:00:00Z";
const person = { userId: "bob", email: "evil@example.com" };
it.each<[string, string, object]>([
  ["documents-data-add", "silent", added({ reactions: [{ reactionId: "x" }], silent: true })],
  ["documents-data-add", "createdAt", added({ reactions: [{ reactionId: "x", createdAt: time }] })],
  ["documents-data-add", "updatedAt", added({ recordings: [{ recordingId: "x", updatedAt: time }] })],
  [
    "documents-data-add",
    "createdAt",
    added({ comments: [{ annotationId: "x", comments: [comment({ createdAt: time })] }] }),
  ],
  ["documents-data-add", "email", added({ comments: [{ annotationId: "x", assignedTo: person }] })],
  [
    "documents-data-add",
    "email",
    added({ comments: [{ annotationId: "x", comments: [comment({ taggedUsers: [person] })] }] }),
  ],
  ["comments-add", "createdAt", withUsers("comments-add", { comments: [comment({ createdAt: time })] })],
  ["comments-add", "email", withUsers("comments-add", { comments: [comment({ taggedUsers: [person] })] })],
  ["comments-update", "email", withUsers("comments-update", { taggedUsers: [person] })],
  ["commentannotations-update", "email", withUsers("commentannotations-update", { update: { assignedTo: person } })],
  ["permissions-get", "explain", withUsers("permissions-get", { explain: true })],
])("%s is refused with %s, which is for servers", async (name, field, data) => {
  const message = new RegExp(`^The field data\\..*${field} is for servers\\.$`);
  await expectNoEffect(await newEditor(), name, data, "PERMISSION_DENIED", message);
});

it("another person has no name in what a user writes, and the caller has the own one", async () => {
  const as = attacked.as;
  const ann = attacked.ann;
  const people = [
    { userId: "bob", name: "Evil" },
    { userId: "ann", name: "Evil" },
    { userId: "nobody", name: "Evil" },
  ];
  const shown = [{ userId: "bob" }, { userId: "ann", name: "The ann" }, { userId: "nobody" }];
  const read = async () => {
    const data = { organizationId, documentId, kind: "comments", ids: ["named"] };
    const { items } = await must(byName("documents-data-get"), { as, data });
    return [items[0].assignedTo, ...items[0].comments.map(({ taggedUsers }: { taggedUsers: object }) => taggedUsers)];
  };
  const written = (commentId: string) => comment({ commentId, taggedUsers: people });
  const thread = { annotationId: "named", assignedTo: people[0], comments: [written("1")] };
  await callAs(ann, documentsDataAdd, added({ comments: [thread] }));
  const named = { documentId, annotationId: "named" };
  await callAs(ann, byName("comments-add"), { ...named, comments: [written("2")] });
  expect(await read()).toEqual([shown[0], shown, shown]);
  await callAs(ann, byName("comments-update"), { ...named, commentId: "1", taggedUsers: people.slice(0, 1) });
  const assign = (assignedTo: object) => ({ documentId, annotationIds: ["named"], update: { assignedTo } });
  await callAs(ann, byName("commentannotations-update"), assign(people[1] as object));
  expect(await read()).toEqual([shown[1], shown.slice(0, 1), shown]);
  // What a server says stays.
  await must(byName("commentannotations-update"), {
    as,
    data: { organizationId, ...assign({ ...person, name: "Bob" }) },
  });
  expect((await read())[0]).toEqual({ ...person, name: "Bob" });
});
