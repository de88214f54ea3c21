import { useState } from "preact/hooks";
import { change, load } from "../api.ts";
import { Action, type Question, useChange } from "../components/action.tsx";
import { Changed } from "../components/changed.tsx";
import { Failure } from "../components/failure.tsx";
import { Field } from "../components/fields.tsx";
import { Head, Part } from "../components/head.tsx";
import { Needs } from "../components/needs.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Tag } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { useLive } from "../live.ts";
import { useRefusal, useSession, useTerminal } from "../session.ts";
import type { Try } from "../try.ts";

interface Token {
  id: string;
  /** Masked. */
  authToken: string;
  name: string;
  scopes: string[];
  expiresAt: number | null;
  createdAt: string;
  createdBy: string | null;
}

const scopes = [
  ["read", "calls that only read"],
  ["write", "changes, user tokens, calls to a language model"],
  ["admin", "the configuration of the workspace"],
] as const;

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
  const live = useLive("tokens", (signal) => load<{ authTokens: Token[] }>("v2/workspace/authtokens/get", {}, signal));
  return (
    <Part title="Auth tokens">
      <Loaded live={live}>
        {({ authTokens }) =>
          authTokens.length === 0 ? (
            <Empty title="No tokens." />
          ) : (
            <ul class="rows" aria-label="Auth tokens">
              {authTokens.map((each) => (
                <TokenRow key={each.id} token={each} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Part>
  );
}

function TokenRow({ token }: { token: Token }) {
  const { id, authToken, name, scopes: has, expiresAt, createdAt, createdBy } = token;
  const session = useSession();
  const isOwn = session?.ownTokenIds.includes(id) ?? false;
  return (
    <Changed of={token}>
      <span class="grow">
        <span class="title">{name || "Without a name"}</span>{" "}
        <span class="quiet">
          id <code>{authToken.includes("••••") ? id : authToken}</code>
        </span>
      </span>
      {isOwn && <Tag>this console</Tag>}
      {has.map((each) => (
        <Tag key={each}>{each}</Tag>
      ))}
      <span class="quiet">{expiresAt === null ? "does not expire" : <>expires {<Time at={expiresAt} />}</>}</span>
      <span class="quiet">
        added <Time at={createdAt} />
        {createdBy && ` by ${createdBy}`}
      </span>
      <Action
        scope="admin"
        tone="bad"
        run={(attempt) => change("v2/workspace/authtokens/revoke", { tokenId: id }, attempt)}
        done="The token is revoked."
        label={`Revoke ${name || id}`}
        ask={isOwn ? ownQuestion(name || id, session?.mode === "local") : question(name || id)}
      >
        Revoke
      </Action>
    </Changed>
  );
}

const question = (name: string): Question => ({
  title: "Revoke this token?",
  text: `Calls with the token ${name} fail at once. Nobody can bring it back.`,
  confirm: "Revoke token",
});

/** For a token with which the console itself calls. */
const ownQuestion = (name: string, isLocal: boolean): Question => ({
  title: "Revoke the token of this console?",
  text: (
    <div class="stack">
      <p>
        <strong>This console itself calls with the token {name}.</strong> When it is revoked, the pages that it loads
        fail, and nobody can bring it back.
      </p>
      <p>
        {isLocal
          ? "npm start makes no other one for its demo workspace: you would have to delete its data folder."
          : "Then start the console again, with another token."}
      </p>
    </div>
  ),
  confirm: "Revoke the console's token",
  typed: name,
});

const daySeconds = 86_400;

function Create() {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string[]>(["read"]);
  const [days, setDays] = useState("90");
  const [isPrinted, setPrinted] = useState(false);
  const creating = useChange();
  const refusal = useRefusal("admin");
  const terminal = useTerminal();
  const create = async (event?: Event) => {
    event?.preventDefault();
    if (refusal || creating.isBusy) return;
    const work = (attempt: Try) => {
      const now = attempt.kept(["now", name, chosen, days], Date.now);
      const expiresAt = days ? { expiresAt: Math.floor(now / 1_000) + Number(days) * daySeconds } : {};
      return change("v2/workspace/authtokens/create", { name, scopes: chosen, ...expiresAt }, attempt);
    };
    if (await creating.run(work, "Token created.")) setPrinted(true);
  };
  const toggle = (scope: string) =>
    setChosen(chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope]);
  return (
    <Part title="Create a token">
      <p class="quiet">The token is printed in {terminal}, once. It never reaches a browser.</p>
      <form class="card stack" onSubmit={(event) => void create(event)}>
        <div class="filters">
          <Field label="Name" value={name} onValue={setName} placeholder="For example: website" isRequired />
          <Field
            label="Valid for (days)"
            type="number"
            min={1}
            value={days}
            onValue={setDays}
            placeholder="does not expire"
          />
        </div>
        <fieldset class="checks">
          <legend>Scopes</legend>
          {scopes.map(([scope, text]) => (
            <label key={scope} class="check">
              <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
              <span>
                <strong>{scope}</strong>: <span class="quiet">{text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div>
          <button type="submit" class="main" title={refusal} aria-disabled={refusal ? "true" : undefined}>
            Create token
          </button>
        </div>
        {creating.failure && <Failure failure={creating.failure} retry={() => void create()} />}
        {isPrinted && !creating.failure && (
          <p role="status" class="notice">
            The token is in {terminal}. Copy it from there now: it is shown once.
          </p>
        )}
      </form>
    </Part>
  );
}
