import { useState } from "preact/hooks";
import { load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Code } from "../components/copy.tsx";
import { Part } from "../components/head.tsx";
import { SafeLink } from "../components/safe-link.tsx";
import { useTerminal } from "../session.ts";
import type { Try } from "../try.ts";
import { webhooks } from "./webhook-types.ts";

const receiver = `import { verify } from "collaboration-backend-client/webhooks";

// secret: from the environment. body: exactly as it was received, not parsed. headers: of the request.
const event = verify(process.env.WEBHOOK_SECRET ?? "", body, headers); // throws for a wrong signature`;

/** What signs the deliveries of an endpoint, and what its receiver does with it. The browser never gets the secret. */
export function EndpointSecret({ endpointId }: { endpointId: string }) {
  const [isPrinted, setPrinted] = useState(false);
  const terminal = useTerminal();
  const print = async ({ signal }: Try) => {
    await load(`${webhooks}/endpoints/secret/get`, { endpointId }, signal);
    setPrinted(true);
  };
  return (
    <Part
      title="Signing secret"
      aside={
        <Action scope="admin" run={print}>
          Print the secret
        </Action>
      }
    >
      <p class="quiet">
        The secret signs each delivery, so that the receiver knows that it comes from here. "Print the secret" prints it
        in {terminal}. It never reaches a browser.
      </p>
      {isPrinted && (
        <p role="status" class="notice">
          The secret is in {terminal}. Copy it from there into the environment of the receiver, as{" "}
          <code>WEBHOOK_SECRET</code>.
        </p>
      )}
      <details>
        <summary>How the receiver verifies a delivery</summary>
        <div class="stack">
          <Code text={receiver} />
          <p class="quiet">
            Without the typed client, take any library of{" "}
            <SafeLink href="https://www.standardwebhooks.com">Standard Webhooks</SafeLink>: it knows this secret and
            these headers. Reply with a status from 200 to 299. Anything else is sent again.
          </p>
        </div>
      </details>
    </Part>
  );
}
