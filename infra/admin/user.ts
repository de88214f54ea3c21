import type { Command } from "commander";
import type { Workspace } from "../../lib/store/workspace.ts";
import { type Io, UserError, type WorkspaceOptions } from "./command.ts";
import { onWorkspace } from "./target.ts";
import { followed, type JobOutput, type WaitOptions, waitOption } from "./wait.ts";

interface EraseOptions extends WorkspaceOptions, WaitOptions {
  organization: string;
  user: string;
  yes?: true;
}

export function addUser(program: Command, io: Io): void {
  const group = program.command("user").description("erase users");
  const eraseCommand = group
    .command("erase")
    .description("permanently remove a user, and everything that the user created, from an organization")
    .requiredOption("--organization <id>", "id of the organization (required)")
    .requiredOption("--user <id>", "id of the user (required)")
    .option("--yes", "confirm the erasure (required)")
    .addOption(waitOption());
  onWorkspace(eraseCommand, io, async (workspace, options: EraseOptions) => {
    const begun = await erase(workspace, options);
    return followed(io, options, begun.json.job, begun);
  });
}

async function erase({ apiKey }: Workspace, { organization, user, yes }: EraseOptions): Promise<JobOutput> {
  const Organization = await import("../../lib/store/content/organization.ts");
  const { RealUserId } = await import("../../lib/schema/fields.ts");
  const [issue] = RealUserId.safeParse(user).error?.issues ?? [];
  if (issue) throw new UserError(`--user: ${issue.message}`);
  if (organization === "" || !(await Organization.exists({ workspace: apiKey, organizationId: organization }))) {
    throw new UserError(`There is no organization "${organization}" in this workspace. Check --organization.`);
  }
  if (!yes)
    throw new UserError(`This permanently erases the user "${user}" from "${organization}". Add --yes to confirm.`);
  const { beginErasure } = await import("../../lib/erasure/begin.ts");
  const User = await import("../../lib/store/access/user.ts");
  const ref = { workspace: apiKey, organizationId: organization };
  const wasKnown = User.isKnown(await User.get({ ...ref, userId: user }));
  const job = await beginErasure(apiKey, { organizationId: organization, userIds: [user] });
  const effect = wasKnown
    ? `Job ${job} ends the user's access and removes the user's data.`
    : `The organization has no user "${user}". Job ${job} removes what names this id all the same.`;
  const text = `${effect} Until the job is done, the user cannot be added again.`;
  return { json: { organizationId: organization, userId: user, begun: true, wasKnown, job }, text };
}
