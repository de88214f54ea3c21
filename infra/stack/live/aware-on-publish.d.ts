interface AwareEvent {
  id: string;
  payload?: unknown;
  error?: string;
}

export function onPublish(ctx: {
  identity: { handlerContext: { userId: string; name?: string } };
  events: readonly AwareEvent[];
}): AwareEvent[];
