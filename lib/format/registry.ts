import { jobEntity, toSweepIndex } from "../jobs/job.ts";
import { toOwnPartition, webhookEndpointEntity } from "../store/webhook-endpoint.ts";
import type { ItemMigration } from "./migrated.ts";

/** All migrations of stored items. Remove one when `oldestRead` has been its format for longer than a table can wait. */
export const itemMigrations: readonly ItemMigration[] = [
  { to: 2, entity: webhookEndpointEntity.name, migrate: toOwnPartition, merge: (moved) => moved },
  { to: 2, entity: jobEntity.name, migrate: toSweepIndex },
];
