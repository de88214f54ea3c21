import { useSession } from "../session.ts";
import { Code } from "./copy.tsx";

/** A call to copy. The keys come from the environment, because the page has none. */
export function Curl({ path, data }: { path: string; data: object }) {
  const api = useSession()?.api ?? "";
  const lines = [
    `curl -s ${api}/${path}`,
    "-H 'content-type: application/json'",
    '-H "x-service-api-key: $API_KEY"',
    '-H "x-service-auth-token: $AUTH_TOKEN"',
    `-d '${JSON.stringify({ data }).replaceAll("'", "'\\''")}'`,
  ];
  return <Code text={lines.join(" \\\n  ")} />;
}
