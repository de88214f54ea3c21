import { useSession } from "../session.ts";
import { Code } from "./copy.tsx";

/** A call to copy. The keys come from the environment, because the page has none. */
export function Curl({ path, data }: { path: string; data: object }) {
  const session = useSession();
  if (!session) return null;
  const { api, keysLine } = session;
  const lines = [
    `curl -s ${api}/${path}`,
    "-H 'content-type: application/json'",
    '-H "x-service-api-key: $API_KEY"',
    '-H "x-service-auth-token: $AUTH_TOKEN"',
    `-d '${JSON.stringify({ data }).replaceAll("'", "'\\''")}'`,
  ];
  return (
    <>
      <p>1. Set the keys, once in each terminal. {keysLine.about}</p>
      <Code text={keysLine.line} />
      <p>2. Make the call:</p>
      <Code text={lines.join(" \\\n  ")} />
    </>
  );
}
