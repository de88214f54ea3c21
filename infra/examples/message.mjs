// Sends an e-mail about a mention (functions/messages/MESSAGES.md).
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../dist/client/index.js";

const demo = JSON.parse(readFileSync(".data/demo.json", "utf8"));
const client = createClient({ url: "http://127.0.0.1:8787", ...demo });
const alice = { userId: "alice", name: "Alice", email: "alice@example.com" };
const bob = { userId: "bob", name: "Bob", email: "bob@example.com" };
const organizationId = `messages-${Date.now()}`;

// Messages are off until a workspace turns them on. The first time also turns on the usual events.
await client.emailconfigUpdate({ useEmailService: true });
// Links lead only to hosts that the workspace allows. A repeated call reports that the domain exists.
await client.domainsAdd({ domains: ["app.example.com"] }).catch(() => {});

// Alice and Bob are members, so both may read the document.
await client.organizationsAdd({ organizations: [{ organizationId }] });
await client.usersAdd({ organizationId, users: [alice, bob].map((user) => ({ ...user, accessRole: "editor" })) });
const metadata = { url: "https://app.example.com/documents/plan" };
const document = { documentId: "plan", documentName: "Launch plan", metadata };
await client.documentsAdd({ organizationId, documents: [document] });

const folder = ".data/mail";
const mails = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".eml")) : []);
const before = mails().length;

// Alice mentions Bob.
const comment = { commentId: "c1", from: alice, text: "Bob, can you check the dates?", taggedUsers: [bob] };
await client.documentsDataAdd({
  organizationId,
  documentId: "plan",
  location: { id: "page-1" },
  comments: [{ annotationId: "t1", from: alice, comments: [comment] }],
  actionUser: alice,
});

while (mails().length === before) await sleep(200);
const newest = mails().sort().at(-1);
console.log(readFileSync(`${folder}/${newest}`, "utf8"));
