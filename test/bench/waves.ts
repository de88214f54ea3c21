// get-permissions for 1 user × 1,000 documents in 50 folders: the number of calls to DynamoDB, and in how many waves.
import { type Waves, wavesOf } from "./barrier.ts";
import { callAs } from "./calls.ts";
import { type Credentials, eventOf } from "./event.ts";

const organizationId = "large";
const [folderCount, documentCount, perFolder] = [50, 1_000, 20];

export async function largePermissions(as: Credentials): Promise<Waves> {
  const documentIds = await populate(as);
  const target = { path: "/v2/auth/permissions/get", method: "POST" } as const;
  return wavesOf("permissions-get", [eventOf(target, as, { organizationId, userIds: ["u"], documentIds })]);
}

async function populate(as: Credentials): Promise<string[]> {
  const must = async (name: string, data: object) => {
    const { statusCode, body } = await callAs(as, name, { organizationId, ...data });
    if (statusCode !== 200) throw new Error(`${name} returned ${statusCode}: ${body}`);
  };
  const folders = Array.from({ length: folderCount }, (_, index) => `f${index}`);
  const documents = Array.from({ length: documentCount }, (_, index) => `d${index}`);
  await must("organizations-add", { organizations: [{ organizationId }] });
  await must("folders-add", { folders: folders.map((folderId) => ({ folderId })) });
  for (const [index, folderId] of folders.entries()) {
    const own = documents.slice(index * perFolder, (index + 1) * perFolder);
    await must("documents-add", { folderId, documents: own.map((documentId) => ({ documentId })) });
  }
  await must("users-add", { users: [{ userId: "u", name: "Ada", email: "a@example.com", accessRole: "viewer" }] });
  return documents;
}
