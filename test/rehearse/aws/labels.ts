// Names of permissions, as short as a report needs them: the action, with the purpose of a secret or the queue.
import type { Need, Statement } from "./policy.ts";

const purposeKey = "kms:EncryptionContext:purpose";

function label(action: string, resource: string, purpose: string | undefined): string {
  if (action === "sqs:SendMessage") return `${action} ${resource.split(":").at(-1)}`;
  return purpose ? `${action} ${purpose}` : action;
}

export function labelOf({ action, resource, context }: Need): string {
  return label(action, resource, context?.[purposeKey]?.[0]);
}

function labelsOf({ Action, Resource, Condition }: Statement): string[] {
  const purpose = Condition?.StringEquals?.[purposeKey];
  return [Action].flat().map((action) => label(action, String(Resource), purpose && String(purpose)));
}

export function allLabels(role: readonly Statement[]): string[] {
  return [...new Set(role.flatMap(labelsOf))];
}

/** The role without one of its permissions. */
export function without(role: readonly Statement[], removed: string): Statement[] {
  return role.flatMap((statement) => {
    const actions = [statement.Action].flat();
    const labels = labelsOf(statement);
    const kept = actions.filter((_, index) => labels[index] !== removed);
    return kept.length > 0 ? [{ ...statement, Action: kept }] : [];
  });
}
