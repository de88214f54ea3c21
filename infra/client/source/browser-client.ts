// The client for a page: the functions of the endpoints that a user's token opens.
import type { ApiError } from "./api-error.ts";
import { functionsOf, operationsIn, writesAmong } from "./calls.ts";
import { LiveDocument } from "./live/document.ts";
import { LiveInbox } from "./live/inbox.ts";
import { Links } from "./live/link.ts";
import { ofPage } from "./live/surroundings.ts";
import { type BrowserClientOptions, browserSettingsOf } from "./options.ts";
import { retryingFetch } from "./retrying-fetch.ts";
import { tokenSource } from "./token-source.ts";

/** `details.reason` of a FAILED_PRECONDITION: the service has no recent answer of the permission provider. */
const openDocumentFirst = "OPEN_DOCUMENT_FIRST";
/** The HTTP status of UNAUTHENTICATED: the token has ended, or is not accepted. */
const tokenRefused = 401;
const scheme = "Bearer ";

type PermissionsGet = (data: object) => Promise<unknown>;

/** Makes a function for each row of a table, which needs `permissionsGet`; and `document` and `inbox`. */
export function makeBrowserClient(table: string, options: BrowserClientOptions, surroundings = ofPage): object {
  const settings = browserSettingsOf(options);
  const operations = operationsIn(table);
  const tokens = tokenSource(settings);
  const opening = new Map<string, Promise<unknown>>();

  /** Asks for the user's own permissions, so that the service stores the provider's answer. */
  function open(organizationId: string | undefined, documentId: string): Promise<unknown> {
    const key = JSON.stringify([organizationId, documentId]);
    const data = { organizationId, userIds: [tokens.user()], documentIds: [documentId] };
    const opened = opening.get(key) ?? (functions.permissionsGet as PermissionsGet)(data);
    opening.set(key, opened);
    return opened.finally(() => opening.delete(key));
  }

  // An idempotency key costs writes. To open and to close twice does no harm.
  const keyed = operations.filter(([name]) => !/^live(?:Open|Close)$/.test(name));
  const send = retryingFetch(settings, writesAmong(keyed, settings.url), {
    async authorize({ headers }) {
      headers.set("authorization", `${scheme}${await tokens.get()}`);
    },
    async mend({ httpStatus, details }: ApiError, refused) {
      if (httpStatus === tokenRefused) {
        tokens.refuse(refused.headers.get("authorization")?.slice(scheme.length));
        return true;
      }
      if (details.reason !== openDocumentFirst) return false;
      const { data } = (await refused.clone().json()) as { data: Record<string, string> };
      if (data.documentId === undefined) return false;
      await open(data.organizationId, data.documentId);
      return true;
    },
  });
  const functions = functionsOf(operations, { ...settings, send });
  const shared = {
    calls: functions,
    links: new Links(surroundings),
    surroundings,
    user: tokens.user,
    name: tokens.name,
  };
  return Object.freeze({
    ...functions,
    document: onceFor((organizationId, documentId) => new LiveDocument({ organizationId, documentId }, shared)),
    inbox: onceFor((organizationId) => new LiveInbox({ organizationId }, shared)),
  });
}

/** The same store for all who look at the same place. */
function onceFor<Store>(make: (organizationId: string, documentId: string) => Store) {
  const made = new Map<string, Store>();
  return ({ organizationId, documentId = "" }: { organizationId: string; documentId?: string }): Store => {
    const key = JSON.stringify([organizationId, documentId]);
    const store = made.get(key) ?? make(organizationId, documentId);
    made.set(key, store);
    return store;
  };
}
