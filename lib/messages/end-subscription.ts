// Ends the e-mails that a link names. It changes nothing for a user, a document or an organization that is gone.
import * as User from "../store/access/user.ts";
import { documentByUid } from "../store/content/document-by-uid.ts";
import * as Organization from "../store/content/organization-life.ts";
import * as Preference from "../store/notifications/preference.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { Subscription } from "./unsubscribe.ts";

const none = { email: "NONE" } as const;

export async function endSubscription({ workspace }: WorkspaceRef, subscription: Subscription): Promise<void> {
  const { organizationId, organizationUid, documentUid, userId, generation, scope } = subscription;
  const ref = { workspace, organizationId };
  const [user, document, [organization], [stored]] = await Promise.all([
    User.get({ ...ref, userId }),
    documentByUid({ workspace, documentUid }),
    Organization.getStored({ workspace }, [organizationId]),
    Preference.listOf({ workspace }, userId, [documentUid]),
  ]);
  if (!Organization.isFound(organization) || organization.organizationUid !== organizationUid) return;
  if (!User.isKnown(user) || User.generationOf(user) !== generation) return;
  const isEnded = Preference.levelOf(user, stored, "email").level === "NONE";
  if (scope === "organization") {
    const general = Preference.levelOf(user, undefined, "email").level;
    if (general !== "NONE") await Preference.setOnOrganization(ref, [user], none);
    // A level of the document would win.
    if (document && Preference.hasOwn(user, stored, "email") && !isEnded) await endOnDocument();
  } else if (document && !isEnded) await endOnDocument();

  function endOnDocument() {
    return Preference.setOnDocuments({ workspace }, [user as User.User], [documentUid], none);
  }
}
