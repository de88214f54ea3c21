// The evaluator of the tests of alarms.
import { expect, it } from "vitest";
import { type AlarmProperties, fires } from "../../support/cloudwatch/alarm-states.ts";
import { evaluate } from "../../support/cloudwatch/math.ts";

it.each([
  ["1 + 2 * a", [7, undefined]],
  ["(1 + 2) * a", [9, undefined]],
  ["10 - a - 1", [6, undefined]],
  ["FILL(a, 0) + b", [5, 2]],
  ["IF(b >= 2, b / 0, 1)", [undefined, undefined]],
  ["IF(FILL(a, 0) > 1, a, 8)", [3, 8]],
])("%s", (expression, expected) => {
  expect(evaluate(expression, { a: [3, undefined], b: [2, 2] })).toEqual(expected);
});

it.each(["AVG(a)", "a +", "a b", "c", "(a"])("an expression that it does not know throws: %s", (expression) => {
  expect(() => evaluate(expression, { a: [1] })).toThrow();
});

const alarm: AlarmProperties = {
  ...{ Namespace: "n", MetricName: "m", Statistic: "Sum", Period: 60 },
  ...{ Threshold: 2, ComparisonOperator: "GreaterThanOrEqualToThreshold", EvaluationPeriods: 3 },
  TreatMissingData: "notBreaching",
};
const at = (...minutes: number[]) =>
  minutes.map((minute) => ({ namespace: "n", name: "m", dimensions: {}, at: minute * 60_000, value: 1 }));

it("an alarm fires when enough of its last periods are beyond the threshold", () => {
  const twice = (...minutes: number[]) => [...at(...minutes), ...at(...minutes)];
  expect(fires(alarm, twice(1, 2, 3), 0, 300_000)).toBe(true);
  expect(fires(alarm, at(1, 2, 3), 0, 300_000)).toBe(false);
  expect(fires(alarm, twice(0, 1, 3, 4), 0, 300_000)).toBe(false);
  expect(fires({ ...alarm, DatapointsToAlarm: 2 }, twice(0, 1, 3, 4), 0, 300_000)).toBe(true);
  expect(fires({ ...alarm, TreatMissingData: "breaching" }, twice(0, 1, 3, 4), 0, 300_000)).toBe(true);
});
