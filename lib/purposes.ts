// The purposes of sealed values. A stored value opens under its own purpose only, so these texts never change. Separate
// from the secrets, so that a declaration can name a purpose without loading an SDK.
export const purposes = {
  idempotentReply: "idempotency",
  emailApiKey: "email-api-key",
  /** For the whole deployment, not for a workspace. */
  addressHash: "address-hash",
  slackBotToken: "slack-bot-token",
  permissionProvider: "permission-provider",
  signingKey: "signing-key",
  recordsKey: "records-key",
  erasureTask: "erasure-task",
  webhookSecret: "webhook-secret",
  aiKey: { openai: "ai-key-openai", anthropic: "ai-key-anthropic", gemini: "ai-key-gemini" },
} as const;

/** A vendor of language models. */
export type AiVendor = keyof (typeof purposes)["aiKey"];

type PurposeOf<Entry> = Entry extends string ? Entry : Entry[keyof Entry];
export type Purpose = PurposeOf<(typeof purposes)[keyof typeof purposes]>;

export const allPurposes: readonly Purpose[] = Object.values(purposes).flatMap((each): Purpose[] =>
  typeof each === "string" ? [each] : Object.values(each),
);
