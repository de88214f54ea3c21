// The picture of activities.json: what a page of a growing activity log costs.
import type { Picture } from "./draw.ts";
import type { Figures } from "./figures.ts";
import { growth, type Line } from "./growth.ts";
import { listOf, shown } from "./numbers.ts";

export function activityPages({ pages, single }: Figures["activities"]): Picture {
  const names: Record<string, string> = {
    "a document": "one document",
    "a user": "one user",
    "a type": "one type",
    "a document and a user": "one document and user",
  };
  const lines = [...Map.groupBy(pages, ({ page }) => page)].map(([page, own]): Line => {
    return { name: names[page] ?? page, points: own.map(({ activities, RCU }) => ({ x: activities, y: RCU })) };
  });
  const most = Math.max(...pages.map(({ RCU }) => RCU));
  const appended = [...new Set(single.map(({ RCU, WCU }) => shown(Number(RCU) + Number(WCU))))];
  const sizes = single.map((each) => shown(each["log of"]));
  return growth({
    title: "Cost of a page of 50 activities",
    facts: [
      `No page takes more than ${shown(most)} read units.`,
      `Appending an activity to a log of ${listOf.format(sizes)} takes ${listOf.format(appended)} request units.`,
    ],
    x: "activities in the log",
    y: { title: "DynamoDB read units of the page" },
    lines,
  });
}
