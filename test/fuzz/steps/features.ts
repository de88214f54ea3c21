// Steps on locations and feature data.
import { type Feature, idElsewhere, identityOf, type Kind } from "../../support/model.ts";
import type { Random } from "../../support/random.ts";
import type { Reply } from "../envelope.ts";
import { type Fields, fails, ok, type Reading, type Step } from "../step.ts";
import type { World } from "../world.ts";

const idFields = { comments: "annotationId", reactions: "reactionId", recordings: "recordingId" };
const kinds = Object.keys(idFields) as Kind[];
/** The client fills these in. */
const repeated = { apiKey: "{apiKey}", authToken: "{authToken}" };

/** Each has another `metadata.count`, so that a replacement is visible. */
function anyFeature(world: World, random: Random, kind: Kind): Feature {
  const [id, by, also] = [random.from(["x", "y", "__proto__"]), random.from(world.userIds), random.from(world.userIds)];
  const record = { [idFields[kind]]: id, from: { userId: by }, metadata: { count: world.newCount() } };
  if (kind !== "comments") return { kind, id, record, participants: [by] };
  return { kind, id, record: { ...record, assignedTo: { userId: also } }, participants: [...new Set([by, also])] };
}

export function addFeatures(world: World, random: Random): Step | undefined {
  const [documentId, location] = [world.documentId(random), random.from(world.locations)];
  const features = random.some(kinds, 2).map((kind) => anyFeature(world, random, kind));
  const stored = ({ kind, id }: Feature) => world.featuresAt(documentId, location, kind, id);
  const message = (feature: Feature) => {
    const document = world.documents.get(documentId);
    if (document && world.isElsewhere(document, location, feature)) return idElsewhere;
    return stored(feature).length > 0 ? "Replaced." : "Added.";
  };
  const observe = ({ data }: Reply): Reading =>
    new Map(
      kinds.flatMap((kind) =>
        Object.entries(data[kind] as Record<string, { message: string }>).map(
          // Only a call that is sent again finds its own item, since each has another count.
          ([id, { message }]) => [`${kind} ${id}`, message === "Unchanged." ? "Replaced." : message] as const,
        ),
      ),
    );
  return {
    endpoint: "documents-data-add",
    data: {
      organizationId: world.organizationId,
      documentId,
      location,
      ...Object.fromEntries(features.map(({ kind, record }) => [kind, [record]])),
    },
    observe,
    expect: () =>
      world.documents.has(documentId)
        ? ok(features.map((each) => [`${each.kind} ${each.id}`, message(each)]))
        : fails("NOT_FOUND"),
    apply() {
      const document = world.documents.get(documentId);
      if (document) for (const feature of features) world.addFeature(document, location, feature);
    },
  };
}

export function updateLocation(world: World, random: Random): Step {
  const documentId = world.documentId(random);
  const [from, to] = [random.from(world.locations), random.from(world.locations)];
  const merge = random.chance(0.5);
  const isTaken = () => {
    const identity = identityOf(merge ? { ...from, ...to } : to);
    return !merge && identity !== identityOf(from) && world.documents.get(documentId)?.locations.has(identity);
  };
  return {
    endpoint: "locations-update",
    data: {
      ...repeated,
      organizationId: world.organizationId,
      documentId,
      migrate: { oldLocation: from, newLocation: to },
      merge,
    },
    expect() {
      if (!world.documents.has(documentId)) return fails("NOT_FOUND");
      return isTaken() ? fails("ALREADY_EXISTS") : ok();
    },
    apply() {
      const document = world.documents.get(documentId);
      if (document && !isTaken()) world.updateLocation(document, from, to, merge);
    },
  };
}

export function removeLocation(world: World, random: Random): Step {
  const { organizationId } = world;
  const [documentId, location] = [world.documentId(random), random.from(world.locations)];
  return {
    endpoint: "locations-data-delete",
    data: { ...repeated, organizationId, documentId, location },
    expect: () => ok(),
    apply: () => void world.documents.get(documentId)?.locations.delete(identityOf(location)),
  };
}

type Counted = Fields & { metadata: { count: number } };
const inOrder = (items: Counted[]) => items.sort((one, other) => one.metadata.count - other.metadata.count);

/** A user's export. */
export function exportUser(world: World, random: Random): Step {
  const userId = random.from(world.userIds);
  const { organizationId } = world;
  const observe = ({ body }: Reply): Reading => {
    const { data } = body.result;
    const lists = kinds.map((kind) => [kind, inOrder(data[kind])] as const);
    return new Map<string, unknown>([["profile", data.profile && { name: data.profile.name }], ...lists]);
  };
  const featuresOf = (kind: Kind) =>
    [...world.documents].flatMap(([documentId, { locations }]) =>
      [...locations.values()].flatMap(({ location, features }) =>
        features
          .filter((each) => each.kind === kind && each.participants.includes(userId))
          .map(({ record }) => ({ ...record, organizationId, documentId, location }) as unknown as Counted),
      ),
    );
  return {
    endpoint: "users-data-get",
    data: { organizationId, userId },
    lists: ["comments", "reactions", "recordings"],
    observe,
    expect() {
      const { hasProfile, name } = world.user(userId);
      const profile = hasProfile ? { name } : null;
      return ok([["profile", profile], ...kinds.map((kind) => [kind, inOrder(featuresOf(kind))] as const)]);
    },
  };
}
