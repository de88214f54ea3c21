// A reaction of user `u` that then gets so many other participants that the entry of `u` is deleted later.
import { commit } from "../../lib/jobs/commit.ts";
import * as Location from "../../lib/store/content/location.ts";
import * as Feature from "../../lib/store/features/feature.ts";
import type { LocationUid } from "../../lib/store/refs.ts";
import { add, documentUidOf, newDocument, person, reaction } from "./feature-data.ts";
import { numbered } from "./notifications.ts";
import { organizationId } from "./workspace.ts";

export async function formerParticipant() {
  const as = await newDocument();
  const workspace = as.apiKey;
  await add(as, { id: "a" }, { reactions: [reaction("r", "u")] });
  const document = { workspace, documentUid: await documentUidOf(as) };
  const locationUid = (await Location.pointer(document, "id:a"))?.locationUid as LocationUid;
  const ref: Feature.FeatureRef = { ...document, organizationId, locationUid, kind: "reactions", id: "r" };
  const [first] = await Feature.getMany({ workspace }, [ref]);
  const record = JSON.stringify({ reactionId: "r", from: person("v0") });
  const others = { record, participants: numbered(91, "v"), at: "2026-01-31T12:00:00.000Z" };
  const { writes, next } = Feature.replacing(ref, others, first as Feature.StoredFeature);
  await commit(writes);
  return { ref, user: { workspace, organizationId, userId: "u" }, others, stored: next };
}
