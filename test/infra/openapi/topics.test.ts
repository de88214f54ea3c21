import { expect, it } from "vitest";
import { endpoints } from "../../../infra/deployables.ts";
import { byTopic, topicGroups, topics } from "../../../infra/openapi/topics.ts";
import { fakeEndpoint } from "../../support/fake-functions.ts";

const listed = endpoints.filter(({ group }) => group !== "fallback");
const namesIn = (topic: string) =>
  byTopic(listed)
    .find((each) => each.topic.name === topic)
    ?.endpoints.map(({ name }) => name);

it("every endpoint belongs to one topic, and every topic has endpoints", () => {
  const placed = byTopic(listed);
  expect(placed.map(({ topic }) => topic)).toEqual(topics);
  const names = placed.flatMap((each) => each.endpoints.map(({ name }) => name));
  expect(names.sort()).toEqual(listed.map(({ name }) => name).sort());
});

it("a topic lists what adds, reads, changes and deletes, in this order", () => {
  expect(namesIn("Organizations")).toEqual([
    "organizations-add",
    "organizations-get",
    "organizations-update",
    "organizations-delete",
  ]);
});

it("the configuration of a feature comes before its use", () => {
  expect(namesIn("Webhooks")?.slice(0, 3)).toEqual([
    "advancedwebhookconfig-get",
    "advancedwebhookconfig-update",
    "webhook-endpoints-create",
  ]);
});

it("an endpoint whose path belongs to no topic is refused, with the file to change", () => {
  const unknown = fakeEndpoint({ name: "moon-get", path: "/v2/moon/get" });
  expect(() => byTopic([unknown])).toThrow("infra/openapi/topics.ts has the path /v2/moon/get");
});

it("topics have distinct names, and each has a sentence", () => {
  expect(new Set(topics.map(({ name }) => name)).size).toBe(topics.length);
  for (const { about } of topics) expect(about).toMatch(/\.$/);
  expect(topicGroups.flatMap((group) => group.topics)).toEqual(topics);
});

it("the title of an endpoint has up to six words and no full stop, and its description has sentences", () => {
  for (const { name, summary, description = "x." } of listed) {
    expect(summary.split(" ").length, name).toBeLessThanOrEqual(6);
    expect(summary, name).toMatch(/^[A-Z].*[^.]$/);
    expect(description, name).toMatch(/\.$/);
  }
});
