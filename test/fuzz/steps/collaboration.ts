// Steps on editor content and presence.
import type { Random } from "../../support/random.ts";
import type { Reply } from "../envelope.ts";
import { fails, ok, oneOf, type Reading, type Step, whole } from "../step.ts";
import type { World } from "../world.ts";

const lifetimeSeconds = 86_400;
const later = () => Math.ceil(Date.now() / 1_000) + lifetimeSeconds;

const contents = [
  ["text", ""],
  ["text", "Notes\n\ud83e\udd9c \u0000 end"],
  ["map", { a: 1, b: { c: [true, null, "x"] }, constructor: "y" }],
  ["map", {}],
  ["array", [1, -2.5, "three", { four: 4 }, []]],
  ["xml", "<p>Hello</p><p/>"],
] as const;

export function addContent(world: World, random: Random): Step {
  const { organizationId } = world;
  const [documentId, editorId] = [world.documentId(random), random.from(world.editorIds)];
  const [type, data] = random.from(contents);
  const texts = () => world.documents.get(documentId)?.texts;
  return {
    endpoint: "crdt-add",
    data: { organizationId, documentId, editorId, type, data },
    expect: () => (texts() ? (texts()?.has(editorId) ? fails("ALREADY_EXISTS") : ok()) : fails("NOT_FOUND")),
    apply() {
      if (!texts()?.has(editorId)) texts()?.set(editorId, JSON.stringify([type, data]));
    },
  };
}

export function getContent(world: World, random: Random): Step {
  const [documentId, editorId] = [world.documentId(random), random.from(world.editorIds)];
  return {
    endpoint: "crdt-get",
    data: { organizationId: world.organizationId, documentId, editorId },
    observe: whole(({ type, data }) => JSON.parse(JSON.stringify([type, data]))),
    expect() {
      const text = world.documents.get(documentId)?.texts.get(editorId);
      return text === undefined ? fails("NOT_FOUND") : oneOf(JSON.parse(text));
    },
  };
}

export function enter(world: World, random: Random): Step {
  const documentId = world.documentId(random);
  const ids = random.some(world.userIds, 2);
  const presence = () => world.documents.get(documentId)?.presence;
  const users = ids.map((userId) => ({ userId, metadata: random.chance(0.3) ? { color: "teal" } : undefined }));
  return {
    endpoint: "presence-add",
    data: { organizationId: world.organizationId, documentId, users, lifetimeSeconds },
    expect: () => (presence() ? ok() : fails("NOT_FOUND")),
    apply: () => ids.forEach((id) => void presence()?.set(id, later())),
  };
}

export function leave(world: World, random: Random): Step {
  const documentId = world.documentId(random);
  const userIds = random.some(world.userIds, 2);
  return {
    endpoint: "presence-delete",
    data: { organizationId: world.organizationId, documentId, userIds },
    expect: () => ok(),
    apply: () => userIds.forEach((id) => void world.documents.get(documentId)?.presence.delete(id)),
  };
}

export function getPresence(world: World, random: Random): Step {
  const documentId = world.documentId(random);
  const isComparable = (userId: string) => !world.former.has(userId);
  const observe = ({ data }: Reply): Reading =>
    new Map([
      [
        "users",
        (data.users as { userId: string }[])
          .map(({ userId }) => userId)
          .filter(isComparable)
          .sort(),
      ],
    ]);
  return {
    endpoint: "presence-get",
    data: { organizationId: world.organizationId, documentId, pageSize: random.pageSize() },
    lists: ["users"],
    observe,
    expect() {
      const presence = world.documents.get(documentId)?.presence;
      return presence ? ok([["users", [...presence.keys()].filter(isComparable).sort()]]) : fails("NOT_FOUND");
    },
  };
}
