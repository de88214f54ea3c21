// The model of a workspace's own settings and lists: what belongs to no organization.
export interface WebhookEndpoint {
  url: string;
  description: string | undefined;
  filterTypes: string[] | undefined;
  disabled: boolean;
  rateLimit: number | undefined;
  /** Since the former secrets ended, none of which ends during a run. A lost call may have made one more. */
  rotations: { least: number; most: number };
}

export interface Judgment {
  decision: string;
  reasoning: string;
}

export class WorkspaceModel {
  readonly domains = new Set<string>();
  email = {
    useEmailService: false,
    type: "default",
    /** The first enabling does not replace a type that was sent before. */
    hasType: false,
    apiKey: "",
    fromEmail: "",
    fromCompany: "",
    triggers: {} as Record<string, boolean>,
  };
  activity: { isEnabled: boolean; immutable?: boolean; triggers?: Record<string, Record<string, boolean>> } = {
    isEnabled: false,
  };
  models: Record<string, string> = { openai: "", anthropic: "", gemini: "" };
  provider = { url: "", token: "" };
  areWebhooksOn = false;
  /** By id. */
  readonly webhooks = new Map<string, WebhookEndpoint>();
  /** By id: the name. */
  readonly agents = new Map<string, string>();
  readonly judgments = new Map<string, Judgment>();
  /** Where webhooks are delivered to. */
  readonly receiver: string;
  isBroken = false;

  constructor(receiver: string) {
    this.receiver = receiver;
  }
}
