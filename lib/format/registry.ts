import type { Item } from "../dynamodb/key.ts";
import { jobEntity, toSweepIndex } from "../jobs/job.ts";
import { featureEntity } from "../store/feature.ts";
import { featureIdEntity } from "../store/feature-list.ts";
import { withEntry, withPlaces } from "../store/feature-list-migration.ts";
import { preferenceEntity } from "../store/preference.ts";
import { settingEntity } from "../store/setting.ts";
import { userEntity } from "../store/user.ts";
import { documentWatcherEntity, organizationWatcherEntity } from "../store/watcher.ts";
import { withDocumentLists, withOrganizationLists } from "../store/watcher-migration.ts";
import { toOwnPartition, webhookEndpointEntity } from "../store/webhook-endpoint.ts";
import { withInterest, withOwnInterest } from "../workspace/interest-migration.ts";
import type { ItemMigration } from "./migrated.ts";

const later = (moved: Item) => moved;

/** All migrations of stored items. Remove one when `oldestRead` has been its format for longer than a table can wait. */
export const itemMigrations: readonly ItemMigration[] = [
  { to: 2, entity: webhookEndpointEntity.name, migrate: toOwnPartition, merge: later },
  { to: 2, entity: jobEntity.name, migrate: toSweepIndex },
  { to: 3, entity: featureEntity.name, migrate: withEntry, merge: withPlaces },
  { to: 3, entity: featureIdEntity.name, migrate: (item) => [item], merge: withPlaces },
  { to: 4, entity: preferenceEntity.name, migrate: withDocumentLists, merge: later },
  { to: 4, entity: documentWatcherEntity.name, migrate: (item) => [item], merge: later },
  { to: 4, entity: userEntity.name, migrate: withOrganizationLists, merge: later },
  { to: 4, entity: organizationWatcherEntity.name, migrate: (item) => [item], merge: later },
  { to: 4, entity: settingEntity.name, migrate: withInterest, merge: withOwnInterest },
];
