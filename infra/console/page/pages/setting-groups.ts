// The settings of a workspace: where they are in the API, and what they do.

export interface SettingField {
  /** Names of the fields from the reply down, joined by dots. */
  path: string;
  label: string;
  meaning: string;
  /** A list: the values to choose from, each with its text. */
  kind: "flag" | "text" | "secret" | "number" | "flags" | readonly (readonly [value: string, text: string])[];
}

export interface SettingGroup {
  title: string;
  about: string;
  /** What is different on the local server. */
  locally?: string;
  get: string;
  update: string;
  fields: readonly SettingField[];
}

const workspace = "v2/workspace";
const group = (
  title: string,
  name: string,
  about: string,
  fields: readonly SettingField[],
  locally?: string,
): SettingGroup => ({
  title,
  about,
  ...(locally && { locally }),
  get: `${workspace}/${name}/get`,
  update: `${workspace}/${name}/update`,
  fields,
});

const notSent =
  "On this machine nothing is sent, whichever service is chosen: each message is a file, which Messages shows.";

const email = "emailServiceConfig";
const provider = "permissionProviderConfig";

const vendor = (id: string, name: string): SettingField[] => [
  {
    path: `providers.${id}.apiKey`,
    label: `${name}: key`,
    meaning: "Calls of this vendor's models use it.",
    kind: "secret",
  },
  {
    path: `providers.${id}.model`,
    label: `${name}: model`,
    meaning: "The model if a call names none.",
    kind: "text",
  },
  {
    path: `providers.${id}.baseUrl`,
    label: `${name}: address`,
    meaning: "Another address than the vendor's own. Another origin removes the stored key.",
    kind: "text",
  },
];

export const settingGroups: readonly SettingGroup[] = [
  group("Webhooks", "advancedwebhookconfig", "Whether events are sent to the endpoints.", [
    {
      path: "isEnabled",
      label: "Send webhooks",
      meaning: "While off, new events make no deliveries, and what waits is kept.",
      kind: "flag",
    },
  ]),
  group(
    "E-mail",
    "emailconfig",
    "E-mails that tell users what happened on their documents.",
    [
      {
        path: "useEmailService",
        label: "Send e-mail",
        meaning: "Users get e-mails about their documents.",
        kind: "flag",
      },
      {
        path: "emailBatchSeconds",
        label: "Wait, in seconds",
        meaning:
          "Collects what happens for one user on one document for this long, then sends one message. Default: 120 seconds.",
        kind: "number",
      },
      {
        path: `${email}.type`,
        label: "Service",
        meaning:
          "Who sends the mails: the deployment's own sender until there is a SendGrid key below, or SendGrid only. " +
          "In the API, that is default or custom, and external.",
        kind: [
          ["default", "The deployment, or SendGrid with a key (default)"],
          ["external", "SendGrid only (external)"],
          ["custom", "The deployment, or SendGrid with a key (custom)"],
        ],
      },
      { path: `${email}.apiKey`, label: "SendGrid key", meaning: "Mails go through this account.", kind: "secret" },
      {
        path: `${email}.fromEmail`,
        label: "Sender's address",
        meaning: "With a SendGrid key: the sender, which SendGrid has verified. Without one: the address for replies.",
        kind: "text",
      },
      {
        path: `${email}.fromCompany`,
        label: "Sender's name",
        meaning: "Stands beside the address and in the message.",
        kind: "text",
      },
      { path: `${email}.triggers`, label: "Events", meaning: "Which events send an e-mail.", kind: "flags" },
    ],
    notSent,
  ),
  group(
    "Slack",
    "slackconfig",
    "Slack messages that tell users what happened on their documents.",
    [
      {
        path: "isEnabled",
        label: "Send Slack messages",
        meaning: "Users get messages from your Slack app.",
        kind: "flag",
      },
      { path: "botToken", label: "Bot token", meaning: "Of your Slack app; it begins with xoxb-.", kind: "secret" },
      { path: "triggers", label: "Events", meaning: "Which events send a message.", kind: "flags" },
    ],
    notSent,
  ),
  group("Activity log", "activityconfig", "Whether the log records who did what.", [
    {
      path: "activityServiceConfig.isEnabled",
      label: "Record activities",
      meaning: "While on, each event of an organization is recorded once.",
      kind: "flag",
    },
    {
      path: "activityServiceConfig.immutable",
      label: "Nobody can change activities",
      meaning: "Only an operator can undo this: npm run admin -- activities unlock.",
      kind: "flag",
    },
    {
      path: "activityServiceConfig.triggers",
      label: "Events",
      meaning: "Which events are recorded; an event that is not listed is recorded.",
      kind: "flags",
    },
  ]),
  group(
    "Permission provider",
    "permissionproviderconfig",
    "A service of yours that decides about access instead of grants.",
    [
      {
        path: "usePermissionProvider",
        label: "Ask the provider",
        meaning: "Stored grants then count no longer.",
        kind: "flag",
      },
      {
        path: `${provider}.permissionProviderUrl`,
        label: "Address",
        meaning: "Where the provider answers.",
        kind: "text",
      },
      {
        path: `${provider}.authToken`,
        label: "Token",
        meaning: "The provider gets it with each question.",
        kind: "secret",
      },
    ],
  ),
  group("AI models", "aimodelconfig", "The language models that the workspace uses, with its own keys.", [
    {
      path: "defaultProvider",
      label: "Vendor",
      meaning: "Which vendor answers if a call names none.",
      kind: [
        ["", "none"],
        ["openai", "OpenAI"],
        ["anthropic", "Anthropic"],
        ["gemini", "Gemini"],
      ],
    },
    ...vendor("openai", "OpenAI"),
    ...vendor("anthropic", "Anthropic"),
    ...vendor("gemini", "Gemini"),
  ]),
];
