import * as Table from "../dynamodb/table.ts";
import { ApiError } from "../errors.ts";
import { keys } from "./keys.ts";

export interface Organization {
  organizationId: string;
  name?: string | undefined;
  createdAt: string;
}

export async function exists(workspace: string, organizationId: string): Promise<boolean> {
  return (await Table.get(keys.organization(workspace, organizationId))) !== undefined;
}

/** NOT_FOUND where one of them is missing. Organizations are never deleted, so the answer stays true. */
export async function mustExist(workspace: string, ...organizationIds: string[]): Promise<void> {
  const found = await Table.getMany(organizationIds.map((id) => keys.organization(workspace, id)));
  if (found.includes(undefined)) throw new ApiError("NOT_FOUND", "The organization does not exist.");
}

/** Creates those that are missing; answers for each whether it was. */
export async function createMissing(
  workspace: string,
  organizations: readonly { organizationId: string; name?: string | undefined }[],
): Promise<boolean[]> {
  const createdAt = new Date().toISOString();
  const units = organizations.map(({ organizationId, name }) => {
    const record: Organization = { organizationId, name, createdAt };
    return {
      organizationId,
      writes: [
        { put: { ...keys.organization(workspace, organizationId), ...record }, if: "absent" as const },
        { put: { ...keys.organizationEntry(workspace, organizationId), organizationId } },
      ],
    };
  });
  return Table.commitEach(units, (done) => ({
    events: done.map(({ organizationId }) => ({
      type: "organization.add",
      workspace,
      organizationId,
      data: { organizationId },
    })),
  }));
}

/** The rule of calls with `createOrganization`: created when missing and asked for, else NOT_FOUND. */
export async function ensure(workspace: string, organizationId: string, create: boolean | undefined): Promise<void> {
  if (create) await ensureAll(workspace, [organizationId]);
  else await mustExist(workspace, organizationId);
}

/** Creates those that are missing. Nearly always none is, and a read costs a quarter of a write that is refused. */
export async function ensureAll(workspace: string, organizationIds: readonly string[]): Promise<void> {
  const found = await Table.getMany(organizationIds.map((id) => keys.organization(workspace, id)));
  const missing = organizationIds.filter((_, index) => found[index] === undefined);
  if (missing.length > 0)
    await createMissing(
      workspace,
      missing.map((organizationId) => ({ organizationId })),
    );
}
