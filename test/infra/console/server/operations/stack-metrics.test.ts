import { CloudWatchClient, GetMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, expect, test, vi } from "vitest";
import { stackMetrics } from "../../../../../infra/console/server/operations/stack-metrics.ts";

const cloudWatch = mockClient(CloudWatchClient);
afterEach(() => {
  cloudWatch.reset();
  vi.useRealTimers();
});

test("the series are those of the stack's own metrics, with 0 where nothing was counted", async () => {
  vi.useFakeTimers({ now: new Date("2026-01-01T12:00:30Z"), toFake: ["Date"] });
  const time = new Date("2026-01-01T11:30:00Z");
  cloudWatch.on(GetMetricDataCommand).resolves({
    MetricDataResults: [
      { Id: "calls", Timestamps: [time], Values: [7] },
      { Id: "p95", Timestamps: [time], Values: [12.5] },
    ],
  });
  const series = await stackMetrics("s")(60);
  const [input] = cloudWatch.commandCalls(GetMetricDataCommand).map(({ args }) => args[0].input);
  expect(input).toMatchObject({
    StartTime: new Date("2026-01-01T11:01:00Z"),
    EndTime: new Date("2026-01-01T12:01:00Z"),
  });
  expect(input?.MetricDataQueries?.[0]).toEqual({
    Id: "calls",
    MetricStat: {
      Metric: { Namespace: "s", MetricName: "calls", Dimensions: [{ Name: "service", Value: "s" }] },
      Period: 60,
      Stat: "Sum",
    },
  });
  const named = (name: string) => series.find((each) => each.name === name)?.points ?? [];
  expect(named("calls")).toHaveLength(60);
  expect(named("calls").filter(([, value]) => value > 0)).toEqual([[time.getTime() / 1_000, 7]]);
  expect(named("failures").every(([, value]) => value === 0)).toBe(true);
  expect(named("latency p95")).toEqual([[time.getTime() / 1_000, 12.5]]);
  expect(named("latency p50")).toEqual([]);
});

test("a day has 60 points of 24 minutes", async () => {
  cloudWatch.on(GetMetricDataCommand).resolves({});
  expect((await stackMetrics("s")(1_440))[0]?.points).toHaveLength(60);
});
