// Steps on a workspace's domains and configurations.
import type { Random } from "../../support/random.ts";
import type { Reply } from "../envelope.ts";
import { fails, ok, oneOf, type Reading, type Step, whole } from "../step.ts";
import type { WorkspaceModel } from "../workspace-model.ts";

/** What is sent, and what is stored. */
const domains = [
  ["https://www.example.com:8080/start", "example.com"],
  ["*.example.org", "*.example.org"],
  ["münchen.de", "xn--mnchen-3ya.de"],
  ["10.0.0.1", "10.0.0.1"],
  ["LOCALHOST", "localhost"],
] as const;

export function addDomains(model: WorkspaceModel, random: Random): Step {
  const chosen = random.some(domains, 2);
  const names = chosen.map(([, stored]) => stored);
  const isNew = (name: string) => !model.domains.has(name);
  const observe = ({ data, error }: Reply): Reading => {
    const { domainsAdded } = error ? error.details : data;
    return new Map(names.map((name) => [name, domainsAdded.includes(name)]));
  };
  return {
    endpoint: "domains-add",
    data: { domains: chosen.map(([sent]) => sent) },
    observe,
    expect: () => ({
      outcome: names.every(isNew) || !names.some(isNew) ? "OK" : "INTERNAL",
      reading: new Map(names.map((name) => [name, isNew(name)])),
    }),
    apply: () => names.forEach((name) => void model.domains.add(name)),
  };
}

export function deleteDomains(model: WorkspaceModel, random: Random): Step {
  const chosen = random.some(domains, 2);
  return {
    endpoint: "domains-delete",
    data: { domains: chosen.map(([sent]) => sent) },
    expect: () => ok(),
    apply: () => chosen.forEach(([, stored]) => void model.domains.delete(stored)),
  };
}

export function getDomains(model: WorkspaceModel, random: Random): Step {
  return {
    endpoint: "domains-get",
    data: { pageSize: random.pageSize() },
    lists: ["domains"],
    observe: whole(({ domains }) => domains.sort()),
    expect: () => oneOf([...model.domains].sort()),
  };
}

const seeded = [
  "comment_annotation.add",
  "comment.add",
  "comment_annotation.status_change",
  "comment_annotation.assign",
  "comment_annotation.priority_change",
  "huddle.create",
  "huddle.join",
];

const sortedJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each) =>
    each && typeof each === "object" && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort()) : each,
  );

const readEmail = whole(({ useEmailService, emailServiceConfig }) => {
  const { type, apiKey, fromEmail, fromCompany, triggers } = emailServiceConfig;
  return sortedJson({ useEmailService, type, apiKey, fromEmail, fromCompany, triggers });
});

function shownEmail({ hasType: _, ...email }: WorkspaceModel["email"]): unknown {
  return sortedJson(email);
}

export function updateEmail(model: WorkspaceModel, random: Random): Step {
  const useEmailService = random.from([true, false, undefined]);
  const type = random.from(["default", "external", "custom", undefined, undefined]);
  const apiKey = random.from(["", "provider-key", undefined]);
  const fromEmail = random.from(["", "updates@example.com", undefined]);
  const triggers = random.chance(0.3) ? { [random.from(seeded)]: random.chance(0.5) } : undefined;
  const emailServiceConfig = { type, apiKey, fromEmail, triggers };
  const next = (): WorkspaceModel["email"] => {
    const { email } = model;
    const isFirst = (useEmailService === true || type === "custom") && Object.keys(email.triggers).length === 0;
    const typeBefore = isFirst && !email.hasType ? "custom" : email.type;
    return {
      ...email,
      useEmailService: useEmailService ?? (isFirst || email.useEmailService),
      type: type ?? typeBefore,
      hasType: email.hasType || type !== undefined || isFirst,
      apiKey: apiKey ?? email.apiKey,
      fromEmail: fromEmail ?? email.fromEmail,
      triggers: {
        ...email.triggers,
        ...(isFirst && Object.fromEntries(seeded.map((name) => [name, true]))),
        ...triggers,
      },
    };
  };
  const isValid = ({ useEmailService, type, apiKey }: WorkspaceModel["email"]) =>
    !(useEmailService && type === "external" && apiKey === "");
  return {
    endpoint: "emailconfig-update",
    data: { useEmailService, emailServiceConfig },
    observe: readEmail,
    expect: () => (isValid(next()) ? oneOf(shownEmail(next())) : fails("INVALID_ARGUMENT")),
    apply() {
      const email = next();
      if (isValid(email)) model.email = email;
    },
  };
}

export function getEmail(model: WorkspaceModel): Step {
  return { endpoint: "emailconfig-get", data: {}, observe: readEmail, expect: () => oneOf(shownEmail(model.email)) };
}

const readActivity = whole(({ activityServiceConfig }) => sortedJson(activityServiceConfig));

export function updateActivity(model: WorkspaceModel, random: Random): Step {
  const isEnabled = random.from([true, false, undefined]);
  // Only an operator can set it to false.
  const immutable = random.from([true, undefined]);
  const triggers = random.chance(0.5)
    ? { [random.from(["comment", "reaction"])]: { [random.from(["added", "deleted"])]: random.chance(0.5) } }
    : undefined;
  const next = () => {
    const known = model.activity.triggers ?? {};
    const groups = Object.entries(triggers ?? {}).map(([group, actions]) => [group, { ...known[group], ...actions }]);
    return {
      isEnabled: isEnabled ?? model.activity.isEnabled,
      ...((immutable ?? model.activity.immutable) !== undefined && {
        immutable: immutable ?? model.activity.immutable,
      }),
      ...((triggers ?? model.activity.triggers) && { triggers: { ...known, ...Object.fromEntries(groups) } }),
    } as WorkspaceModel["activity"];
  };
  /** An immutable log never records less. */
  const isRefused = () => {
    const known = model.activity;
    const isMuted = Object.entries(triggers ?? {}).some(([group, actions]) =>
      Object.entries(actions).some(([action, isOn]) => !isOn && known.triggers?.[group]?.[action] !== false),
    );
    return known.immutable === true && known.isEnabled && (isMuted || !next().isEnabled);
  };
  return {
    endpoint: "activityconfig-update",
    data: { activityServiceConfig: { isEnabled, immutable, triggers } },
    observe: readActivity,
    expect: () => (isRefused() ? fails("FAILED_PRECONDITION") : oneOf(sortedJson(next()))),
    apply() {
      if (!isRefused()) model.activity = next();
    },
  };
}

export function getActivity(model: WorkspaceModel): Step {
  const expect = () => oneOf(sortedJson(model.activity));
  return { endpoint: "activityconfig-get", data: {}, observe: readActivity, expect };
}

type Providers = Record<string, { model: string }>;
const readModels = whole(({ providers }: { providers: Providers }) =>
  Object.fromEntries(Object.entries(providers).map(([vendor, { model }]) => [vendor, model])),
);

export function updateModels(model: WorkspaceModel, random: Random): Step {
  const vendor = random.from(["openai", "anthropic", "gemini"]);
  const name = random.from(["", "gpt-5-mini", "claude-haiku-4-5", "gemini-2.5-pro"]);
  const next = () => ({ ...model.models, [vendor]: name });
  return {
    endpoint: "aimodelconfig-update",
    data: { providers: { [vendor]: { model: name } } },
    observe: readModels,
    expect: () => oneOf(next()),
    apply() {
      model.models = next();
    },
  };
}

export function getModels(model: WorkspaceModel): Step {
  return { endpoint: "aimodelconfig-get", data: {}, observe: readModels, expect: () => oneOf(model.models) };
}

/** The provider stays off, since the model decides on access itself. Address and token are sent together. */
export function updateProvider(model: WorkspaceModel, random: Random): Step {
  const url = random.from(["https://example.com/a", "https://example.org/b"]);
  const token = random.from(["", "one", "two"]);
  return {
    endpoint: "permissionproviderconfig-update",
    data: { usePermissionProvider: false, permissionProviderConfig: { permissionProviderUrl: url, authToken: token } },
    expect: () => ok(),
    apply() {
      model.provider = { url, token };
    },
  };
}

export function getProvider(model: WorkspaceModel): Step {
  return {
    endpoint: "permissionproviderconfig-get",
    data: {},
    observe: whole(
      ({ usePermissionProvider: isOn, permissionProviderConfig: { permissionProviderUrl: url, authToken } }) => {
        return { isOn, url, token: authToken };
      },
    ),
    expect: () => oneOf({ isOn: false, ...model.provider }),
  };
}
