// Records activities, and saves a checkpoint of them (functions/activity-log/ACTIVITY.md).
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { createClient } from "../../dist/client/index.js";

const demo = JSON.parse(readFileSync(".data/demo.json", "utf8"));
const url = "http://127.0.0.1:8787";
const client = createClient({ url, ...demo });
const organizationId = "activity-demo";

await client.activityconfigUpdate({ activityServiceConfig: { isEnabled: true } });
await client.organizationsAdd({ organizations: [{ organizationId }] });
await client.documentsAdd({ organizationId, documents: [{ documentId: "plan" }] });

// An event is in the log 15 to 20 seconds after its call.
let activities = [];
while (!activities.some(({ eventType }) => eventType === "document.add")) {
  await setTimeout(1_000);
  ({ activities } = await client.activitiesGet({ organizationId, order: "oldest" }));
}
for (const { createdAt, eventType, changes } of activities) console.log(createdAt, eventType, JSON.stringify(changes));

const { checkpoint } = await client.activitiesCheckpointGet({ organizationId });
writeFileSync(".data/checkpoint.txt", checkpoint);
writeFileSync(".data/keys.json", await (await fetch(`${url}/.well-known/jwks/${demo.apiKey}/records`)).text());
