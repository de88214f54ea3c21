import { jobEntity, toSweepIndex } from "../jobs/job.ts";
import { featureEntity } from "../store/feature.ts";
import { featureIdEntity } from "../store/feature-list.ts";
import { withEntry, withPlaces } from "../store/feature-list-migration.ts";
import { toOwnPartition, webhookEndpointEntity } from "../store/webhook-endpoint.ts";
import type { ItemMigration } from "./migrated.ts";

/** All migrations of stored items. Remove one when `oldestRead` has been its format for longer than a table can wait. */
export const itemMigrations: readonly ItemMigration[] = [
  { to: 2, entity: webhookEndpointEntity.name, migrate: toOwnPartition, merge: (moved) => moved },
  { to: 2, entity: jobEntity.name, migrate: toSweepIndex },
  { to: 3, entity: featureEntity.name, migrate: withEntry, merge: withPlaces },
  { to: 3, entity: featureIdEntity.name, migrate: (item) => [item], merge: withPlaces },
];
