// The erasure of a user while locations with the user's data are merged.
import { afterEach, expect, it, vi } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { locationsUpdate } from "../../../functions/locations/locations-update.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { userEntity } from "../../../lib/store/access/user.ts";
import { documentDataPartition } from "../../../lib/store/refs.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { documentId, documentUidOf, newDocument, reaction } from "../../support/feature-data.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const userId = "the-erased-one";
const person = { userId, name: "Ann" };
const locations = ["a", "b", "c"].map((id) => ({ id }));

/** Three locations, each with data of the user and of another. */
async function arrange(): Promise<Credentials> {
  const as = await newDocument();
  await must(usersAdd, { as, data: { organizationId, users: [person] } });
  for (const location of locations) {
    const { id } = location;
    const comment = { commentId: `${id}-c`, from: person, text: "Hello." };
    const comments = [
      { annotationId: `${id}-other`, from: { userId: "ben" }, assignedTo: person, comments: [comment] },
    ];
    const reactions = [reaction(`${id}-own`, userId)];
    await must(documentsDataAdd, { as, data: { organizationId, documentId, location, reactions, comments } });
  }
  return as;
}

const merge = (as: Credentials, oldLocation: object, newLocation: object) =>
  must(locationsUpdate, {
    as,
    data: { ...as, organizationId, documentId, migrate: { oldLocation, newLocation }, merge: true },
  });

/** Items that name the user, except the tombstone and jobs. */
async function naming({ apiKey: workspace }: Credentials) {
  const { pk } = userEntity.key({ workspace, organizationId, userId });
  const items = (await itemsOf(workspace)).filter((item) => !item.pk.startsWith("JOB#") && item.pk !== pk);
  return items.filter((item) => JSON.stringify(item).includes(userId));
}

it.each([
  ["to", 0, 1, 2],
  ["from", 2, 1, 0],
])(
  "leaves nothing when locations are merged %s the next one before any query of the document",
  async (_name, ...order) => {
    const [first = {}, second = {}, third = {}] = order.map((index) => locations[index]);
    for (let point = 0, isOver = false; !isOver; point += 2) {
      const as = await arrange();
      const erasure = await beginErasure(as.apiKey, { organizationId, userIds: [userId] });
      const data = documentDataPartition({ workspace: as.apiKey, documentUid: await documentUidOf(as) });
      let queries = 0;
      interceptStore(async ({ constructor: { name }, input }) => {
        if (name !== "QueryCommand" || !JSON.stringify(input).includes(data)) return;
        const query = queries++;
        if (query === point) await merge(as, first, second);
        if (query === point + 1) await merge(as, second, third);
      });
      await deliver(purge, [erasure]);
      vi.restoreAllMocks();
      isOver = queries <= point + 1;
      for (let run = 0; (await Job.get(erasure))?.state !== "done"; run++) {
        expect(run).toBeLessThan(10);
        later(120);
        await deliver(purge, [erasure]);
      }
      expect(await naming(as), `query ${point}`).toEqual([]);
    }
  },
);
