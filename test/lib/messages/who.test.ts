import { expect, it } from "vitest";
import { getsMessage } from "../../../lib/messages/who.ts";

const levels = ["ALL", "MINE", "NONE"] as const;

/** Each row: who the user is to the event, and the answer for each level in the order of the heading. */
const cases: [who: string, candidate: { isActor: boolean; isInvolved: boolean }, answers: boolean[]][] = [
  //                                                                                    ALL   MINE  NONE
  ["involved: author, replier, mentioned, assigned, named", { isActor: false, isInvolved: true }, [true, true, false]],
  ["nobody in particular", { isActor: false, isInvolved: false }, [true, false, false]],
  ["involved, and made the change", { isActor: true, isInvolved: true }, [false, false, false]],
  ["made the change", { isActor: true, isInvolved: false }, [false, false, false]],
];

for (const [who, candidate, answers] of cases) {
  for (const [index, level] of levels.entries()) {
    it(`${who}; ${level}: ${answers[index] ? "a message" : "none"}`, () => {
      expect(getsMessage({ ...candidate, level })).toBe(answers[index]);
    });
  }
}
