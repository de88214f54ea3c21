// The steps of a sequence: random ones, on the service and on the model.
import fc from "../../support/property.ts";
import type { Service } from "../../support/service-in-memory.ts";
import { access } from "./access.ts";
import { collaboration } from "./collaboration.ts";
import { content } from "./content.ts";
import type { Kind } from "./kind.ts";
import type { State } from "./state.ts";

const kinds: Record<string, Kind> = { ...content, ...access, ...collaboration };

export interface Step {
  do: string;
  with: object;
}

const arbitraryOf = (name: string, { shape }: Kind) => shape.map((given): Step => ({ do: name, with: given }));
const among = (named: Record<string, Kind>) =>
  fc.oneof(
    ...Object.entries(named).map(([name, kind]) => ({ weight: kind.weight, arbitrary: arbitraryOf(name, kind) })),
  );

const { deleteOrganization, addOrganization, ...ofContent } = content;
/** Organizations end seldom: most steps need one. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: among({ deleteOrganization, addOrganization }) },
  { weight: 14, arbitrary: among(ofContent) },
  { weight: 9, arbitrary: among(access) },
  { weight: 9, arbitrary: among(collaboration) },
);

/** The first steps of every sequence. */
export const start: Step[] = [
  { do: "addOrganization", with: {} },
  { do: "addFolder", with: { folderId: "f" } },
  { do: "addFolder", with: { folderId: "g", parentFolderId: "f" } },
  { do: "addDocument", with: { documentId: "a", folderId: "g" } },
  { do: "addDocument", with: { documentId: "b" } },
  { do: "addUser", with: { userId: "u", accessRole: "editor" } },
  { do: "addGroup", with: { groupId: "x" } },
];

const kindOf = (step: Step) => kinds[step.do] as Kind;

export const isLateable = (step: Step): boolean => kindOf(step).canBeLate === true;

export const expected = (state: State, step: Step, isLate = false): unknown =>
  kindOf(step).expected(state, step.with as never, isLate);

export async function send({ call }: Service, step: Step, options?: Parameters<Service["call"]>[2]): Promise<unknown> {
  const { endpoint, request, shown = onlyItem } = kindOf(step);
  const data = await call(endpoint, request(step.with as never), options);
  return isStatus(data) ? data : shown(data as never);
}

const isStatus = (data: unknown): data is string => typeof data === "string" && /^[A-Z_]+$/.test(data);

function onlyItem(data: Record<string, { code?: string; message: string }>): string | undefined {
  const [item] = Object.values(data);
  return item?.code ?? item?.message;
}
