import { expect, it } from "vitest";
import { endpoints, named } from "../../../infra/deployables.ts";
import { sections } from "../../../infra/openapi/groups.ts";
import { inReadingOrder } from "../../../infra/openapi/reading-order.ts";

const groups = inReadingOrder(endpoints).flatMap((section) => section.groups);
const namesIn = (group: string) => groups.find(({ name }) => name === group)?.endpoints.map(({ name }) => name);

it("every endpoint except the fallback is in one group, and every group has endpoints", () => {
  expect(groups.map(({ name }) => name)).toEqual(Object.values(sections).flatMap((section) => Object.keys(section)));
  const names = groups.flatMap((group) => group.endpoints.map(({ name }) => name));
  expect(names.sort()).toEqual(named.map(({ name }) => name).sort());
});

it("a group lists what adds, reads, changes and deletes, in this order", () => {
  expect(namesIn("organizations")).toEqual([
    "organizations-add",
    "organizations-get",
    "organizations-update",
    "organizations-delete",
  ]);
});

it("the configuration of a feature comes before its use", () => {
  expect(namesIn("webhooks")?.slice(0, 3)).toEqual([
    "advancedwebhookconfig-get",
    "advancedwebhookconfig-update",
    "webhook-endpoints-create",
  ]);
});

it("each group has a sentence", () => {
  for (const { about } of groups) expect(about).toMatch(/\.$/);
});

it("the title of an endpoint has up to six words and no full stop, and its description has sentences", () => {
  for (const { name, summary, description = "x." } of groups.flatMap((group) => group.endpoints)) {
    expect(summary.split(" ").length, name).toBeLessThanOrEqual(6);
    expect(summary, name).toMatch(/^[A-Z].*[^.]$/);
    expect(description, name).toMatch(/\.$/);
  }
});
