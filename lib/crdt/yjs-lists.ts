// Yjs joins neighbouring items of a list, and copies all joined values at each step. The copies of a list that was filled
// value by value grow with the square of its length. So joined items have a limit here.
import * as Y from "yjs";

/** The most values of a joined item. */
const valuesMax = 1_000;

function limited<C extends Y.ContentAny | Y.ContentJSON>(join: (this: C, right: C) => boolean) {
  return function (this: C, right: C): boolean {
    return this.arr.length + right.arr.length <= valuesMax && join.call(this, right);
  };
}

const [joinAny, joinJson] = [limited(Y.ContentAny.prototype.mergeWith), limited(Y.ContentJSON.prototype.mergeWith)];

/** Limits the items that Yjs joins, in this process. */
export function limitLists(): void {
  Y.ContentAny.prototype.mergeWith = joinAny;
  Y.ContentJSON.prototype.mergeWith = joinJson;
}
