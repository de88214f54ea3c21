// All steps, each with its weight.
import type { Random } from "../../support/random.ts";
import type { Step } from "../step.ts";
import type { WorkspaceModel } from "../workspace-model.ts";
import type { World } from "../world.ts";
import * as Access from "./access.ts";
import * as Ai from "./ai.ts";
import * as Collaboration from "./collaboration.ts";
import * as Content from "./content.ts";
import * as Features from "./features.ts";
import * as Notifications from "./notifications.ts";
import * as Settings from "./settings.ts";
import * as Webhooks from "./webhooks.ts";

type Maker<Model> = (model: Model, random: Random) => Step | undefined;
type Weighted<Model> = readonly (readonly [weight: number, make: Maker<Model>])[];

/** Steps in an organization. Lists are rarer than reads by id, which take a fraction of their time. */
export const worldSteps: Weighted<World> = [
  [6, Content.addDocuments],
  [2, Content.deleteDocuments],
  [3, Content.addFolders],
  [5, Content.getDocuments],
  [1, Content.getFolders],
  [0.4, Content.migrate],
  [4, Access.addUsers],
  [4, Access.updateUsers],
  [1, Access.deleteUsers],
  [5, Access.getUsers],
  [5, Access.addPermissions],
  [4, Access.removePermissions],
  [10, Access.getPermissions],
  [1, Access.generateToken],
  [0.5, Access.addGroups],
  [1, Access.joinGroup],
  [1, Access.leaveGroup],
  [3, Collaboration.addContent],
  [4, Collaboration.getContent],
  [3, Collaboration.enter],
  [2, Collaboration.leave],
  [4, Collaboration.getPresence],
  [5, Features.addFeatures],
  [2, Features.updateLocation],
  [1, Features.removeLocation],
  [2.5, Features.exportUser],
  [1, Notifications.notify],
  [2.5, Notifications.getNotifications],
  [1, Notifications.readNotifications],
  [2, Notifications.setPreferences],
  [3, Notifications.getPreferences],
];

/** Steps that read, to compare a whole organization. */
export const worldReads: readonly Maker<World>[] = [
  Content.getDocuments,
  Content.getFolders,
  Access.getUsers,
  Access.getPermissions,
  Collaboration.getContent,
  Collaboration.getPresence,
  Features.exportUser,
  Notifications.getNotifications,
  Notifications.getPreferences,
];

/** Steps on a workspace. */
export const workspaceSteps: Weighted<WorkspaceModel> = [
  [3, Settings.addDomains],
  [2, Settings.deleteDomains],
  [3, Settings.getDomains],
  [2, Settings.updateEmail],
  [3, Settings.getEmail],
  [2, Settings.updateActivity],
  [3, Settings.getActivity],
  [1, Settings.updateModels],
  [3, Settings.getModels],
  [1, Settings.updateProvider],
  [2, Settings.getProvider],
  [2, Webhooks.switchWebhooks],
  [2, Webhooks.getSwitch],
  [2, Webhooks.createEndpoint],
  [2, Webhooks.updateEndpoint],
  [0.5, Webhooks.deleteEndpoint],
  [3, Webhooks.getEndpoints],
  [1, Webhooks.rotateSecret],
  [2, Webhooks.useEndpoint],
  [1, Ai.createAgent],
  [3, Ai.getAgents],
  [2, Ai.resolveAgent],
  [2, Ai.addJudgments],
  [3, Ai.searchJudgments],
  [1, Ai.askMemory],
  [1, Ai.listKnowledge],
  [0.5, Ai.forgetKnowledge],
  [2, Ai.getTokens],
  [1, Ai.askAi],
];
