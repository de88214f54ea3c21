// The picture of messages.json: what it costs to notify a recipient, and to send a mail.
import type { Picture } from "./draw.ts";
import type { Figures } from "./figures.ts";
import { growth, type Line } from "./growth.ts";
import { shown, times } from "./numbers.ts";

const baseSize = 1_000;
const shortNames: Record<string, string> = {
  "mail of a comment": "sending a mail",
  "notification, inbox only": "inbox",
  "notification, inbox and mail": "inbox and mail",
};

export function messageRecipients({ rows }: Figures["messages"]): Picture {
  const growing = rows.filter(({ recipients }) => recipients > 1);
  const lines = [...Map.groupBy(growing, ({ what }) => what)].map(([what, own]): Line => {
    const points = own.map((row) => ({ x: row.recipients, y: (row.readUnits + row.writeUnits) / row.count }));
    return { name: shortNames[what] ?? what, points };
  });
  const ratios = lines.map(({ points }) => {
    return (points.at(-1)?.y ?? Number.NaN) / (points.find(({ x }) => x === baseSize)?.y ?? Number.NaN);
  });
  const largest = Math.max(...growing.map(({ recipients }) => recipients));
  const sample = growing.find(({ recipients, count }) => count < recipients);
  return growth({
    title: "Cost of e-mails and notifications, for each recipient",
    facts: [
      `Each of ${shown(largest)} recipients takes at most ${times(Math.max(...ratios), 1)} the units that each of 1,000 takes.`,
      ...(sample ? [`Of ${shown(sample.recipients)} mails, the first ${shown(sample.count)} are measured.`] : []),
    ],
    x: "recipients of one event",
    y: { title: "DynamoDB request units for each recipient", isLog: true },
    lines,
  });
}
