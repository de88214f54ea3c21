import { useState } from "preact/hooks";
import { change, type KeyOf } from "../api.ts";
import { Action, Form } from "../components/action.tsx";
import { Field } from "../components/fields.tsx";
import { Loaded } from "../components/list.tsx";
import { Head, Needs, Part, Tag, Time } from "../components/page.tsx";
import { useCall } from "../live.ts";
import { useSession, useTerminal } from "../session.ts";

interface Token {
  id: string;
  name: string;
  scopes: string[];
  expiresAt: number | null;
  createdAt: string;
  createdBy: string | null;
}

const path = "v2/workspace/authtokens";

/** Who may call the API. */
export function Tokens() {
  return (
    <>
      <Head title="Tokens" />
      <Needs scope="admin">
        <AuthTokens />
      </Needs>
      <Create />
    </>
  );
}

function AuthTokens() {
  const live = useCall<{ authTokens: Token[] }>(`${path}/get`, {});
  return (
    <Part title="Auth tokens">
      <Loaded live={live}>
        {({ authTokens }) => (
          <ul class="rows" aria-label="Auth tokens">
            {authTokens.map((each) => (
              <TokenRow key={each.id} token={each} />
            ))}
          </ul>
        )}
      </Loaded>
    </Part>
  );
}

function TokenRow({ token: { id, name, scopes, expiresAt, createdAt, createdBy } }: { token: Token }) {
  const session = useSession();
  const isOwn = session?.ownTokenIds.includes(id) ?? false;
  const shownName = name || id;
  const revoke = (keyOf: KeyOf) => change(`${path}/revoke`, { tokenId: id }, keyOf);
  const text = `Calls with the token ${shownName} fail at once. Nobody can bring it back.`;
  const own = `This console itself calls with the token ${shownName}: its pages then fail. ${text}`;
  return (
    <li>
      <span class="grow">
        {name || "Without a name"}{" "}
        <span class="quiet">
          id <code>{id}</code>
        </span>
      </span>
      {isOwn && <Tag>this console</Tag>}
      {scopes.map((each) => (
        <Tag key={each}>{each}</Tag>
      ))}
      <span class="quiet">{expiresAt === null ? "does not expire" : <>expires {<Time at={expiresAt} />}</>}</span>
      <span class="quiet">
        added <Time at={createdAt} /> {createdBy && `by ${createdBy}`}
      </span>
      <Action
        scope="admin"
        isBad
        run={revoke}
        done="The token is revoked."
        label={`Revoke ${shownName}`}
        ask={{
          title: isOwn ? "Revoke the token of this console?" : "Revoke this token?",
          text: isOwn ? own : text,
          ...(isOwn && { typed: shownName }),
        }}
      >
        Revoke
      </Action>
    </li>
  );
}

const scopes = [
  ["read", "calls that only read"],
  ["write", "changes, user tokens, calls to a language model"],
  ["admin", "the configuration of the workspace"],
] as const;

function Create() {
  const [isPrinted, setPrinted] = useState(false);
  const terminal = useTerminal();
  const create = async (fields: FormData, keyOf: KeyOf) => {
    setPrinted(false);
    const [name, end] = [fields.get("name"), String(fields.get("end"))];
    const expiresAt = end ? { expiresAt: Date.parse(end) / 1_000 } : {};
    await change(`${path}/create`, { name, scopes: fields.getAll("scopes"), ...expiresAt }, keyOf);
    setPrinted(true);
  };
  return (
    <Part title="Create a token">
      <p class="quiet">The token is printed in {terminal}, once. It never reaches a browser.</p>
      <Form scope="admin" run={create} done="Token created." submit="Create token">
        <Field label="Name" name="name" placeholder="For example: website" required />
        <Field label="Ends on (UTC), or never" name="end" type="date" />
        <div>
          {scopes.map(([scope, text]) => (
            <label key={scope} class="block">
              <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === "read"} /> {scope}:{" "}
              <span class="quiet">{text}</span>
            </label>
          ))}
        </div>
      </Form>
      {isPrinted && (
        <p role="status" class="notice">
          The token is in {terminal}. Copy it from there now: it is shown once.
        </p>
      )}
    </Part>
  );
}
