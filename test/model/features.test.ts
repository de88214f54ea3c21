// Random sequences of additions, changes and deletions of annotations and their locations. After each sequence, the
// stored items agree with each other: every item has its entry, its id and its participations.
import { expect, it } from "vitest";
import { purge } from "../../functions/workers/purge.ts";
import { beginErasure } from "../../lib/erasure/begin.ts";
import * as Job from "../../lib/jobs/store.ts";
import type { Credentials } from "../support/call.ts";
import {
  addTo,
  expectConsistent,
  get,
  removeFrom,
  remove as removeItems,
  updateComment,
  updateX,
} from "../support/comments.ts";
import { add, exportOf, newDocument, person, remove, update } from "../support/feature-data.ts";
import { jobsOf } from "../support/jobs.ts";
import fc from "../support/property.ts";
import { organizationId } from "../support/workspace.ts";

const users = ["u", "v", "w"];
const user = fc.constantFrom(...users);
const id = fc.constantFrom("x", "y");
const place = fc.constantFrom("a", "b", "c");
const commentId = fc.constantFrom("1", "2", "3");

type Step = (as: Credentials) => Promise<unknown>;
const stepOf = <T extends object>(
  fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> },
  run: (as: Credentials, step: T) => Promise<unknown>,
) =>
  fc
    .record(fields)
    .map((step): Step & { step: object } => Object.assign((as: Credentials) => run(as, step as T), { step }));

const step: fc.Arbitrary<Step> = fc.oneof(
  stepOf(
    { id, at: place, from: user, to: user, status: fc.constantFrom("OPEN", "DONE") },
    (as, { id, at, from, to, status }) =>
      add(
        as,
        { id: at },
        {
          comments: [{ annotationId: id, from: person(from), status, assignedTo: person(to) }],
          reactions: [{ reactionId: id, from: person(to) }],
        },
      ),
  ),
  stepOf({ id, commentId, from: user, tagged: user }, (as, { id, commentId, from, tagged }) =>
    addTo(as, [{ commentId, from: person(from), taggedUsers: [person(tagged)] }], { annotationId: id }),
  ),
  stepOf({ id, commentId, tagged: user }, (as, { id, commentId, tagged }) =>
    updateComment(as, commentId, { taggedUsers: [person(tagged)] }, { annotationId: id }),
  ),
  stepOf({ id, commentId }, (as, { id, commentId }) => removeFrom(as, [commentId], { annotationId: id })),
  stepOf({ id, to: user }, (as, { id, to }) =>
    updateX(as, { assignedTo: person(to), priority: to }, { annotationIds: [id] }),
  ),
  stepOf({ id }, (as, { id }) => removeItems(as, [id])),
  stepOf({ from: place, to: place, merge: fc.boolean() }, (as, { from, to, merge }) =>
    update(as, { id: from }, { id: to }, { merge }),
  ),
  stepOf({ at: place }, (as, { at }) => remove(as, { id: at })),
  stepOf({ user }, (as, { user }) => erase(as, user)),
);

async function erase(as: Credentials, userId: string): Promise<void> {
  const jobId = await beginErasure(as.apiKey, { organizationId, userIds: [userId] });
  await runAll([jobId]);
}

/** Runs jobs of purges to their end. */
async function runAll(ids: readonly string[]): Promise<void> {
  for (const jobId of ids) {
    let job = (await Job.get(jobId)) as Job.Running;
    for (;;) {
      const outcome = await purge.run(job, Date.now() + 60_000);
      if (outcome === "done" || !outcome.again) break;
      job = { ...job, payload: outcome.again.payload };
    }
  }
}

it("keeps items, entries, ids and participations equal, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const as = await newDocument();
      for (const run of steps) await run(as);
      const shown = await get(as);
      for (const userId of users) {
        const isNamed = (each: object) => JSON.stringify(each).includes(`"userId":"${userId}"`);
        const ids = (items: { annotationId: string }[]) => items.map(({ annotationId }) => annotationId).sort();
        expect(ids((await exportOf(as, userId)).comments)).toEqual(ids(shown.filter(isNamed)));
      }
      const purges = (await jobsOf(as, "purge")).filter(({ payload }) => "partitions" in payload);
      await runAll(purges.map((each) => each.id));
      await expectConsistent(as);
      expect(await get(as)).toEqual(shown);
    }),
    { numRuns: 25 },
  );
});
