import type { Command } from "commander";
import type { Workspace } from "../../lib/store/workspace.ts";
import { type Answer, type Io, Refusal, runsOnWorkspace, type WorkspaceOptions } from "./command.ts";
import { inWorkspace } from "./target.ts";

interface EraseOptions extends WorkspaceOptions {
  organization: string;
  user: string;
  yes?: true;
}

export function addUser(program: Command, io: Io): void {
  const noun = program.command("user").description("erase a user");
  const erasure = noun
    .command("erase")
    .description("remove a user from an organization with all that the user made there, for good")
    .requiredOption("--organization <id>", "the organization")
    .requiredOption("--user <id>", "the user")
    .option("--yes", "really");
  runsOnWorkspace(erasure, io, (options: EraseOptions) =>
    inWorkspace(options, (workspace) => erase(workspace, options)),
  );
}

async function erase({ apiKey }: Workspace, { organization, user, yes }: EraseOptions): Promise<Answer> {
  const Organization = await import("../../lib/store/organization.ts");
  if (user === "") throw new Refusal("The user's id is empty.");
  if (organization === "" || !(await Organization.exists(apiKey, organization))) {
    throw new Refusal(`There is no organization "${organization}" in this workspace.`);
  }
  if (!yes) throw new Refusal(`This erases the user "${user}" from "${organization}", for good: add --yes.`);
  const { eraseJob, forget } = await import("../../lib/deletion/erase-user.ts");
  const Table = await import("../../lib/dynamodb/table.ts");
  const erasure = { organizationId: organization, userId: user };
  const job = eraseJob(apiKey, erasure);
  await Table.commit([], { jobs: [job] });
  await forget(apiKey, erasure);
  const text = `The user's access has ended. Job ${job.id} removes the rest; add the user again only after it.`;
  return { json: { ...erasure, erased: true, job: job.id }, text };
}
