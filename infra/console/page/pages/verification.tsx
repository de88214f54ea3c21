import { useState } from "preact/hooks";
import { ApiFailure, fetchJson, load, operationText } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Code } from "../components/copy.tsx";
import { Part } from "../components/head.tsx";
import { Status } from "../components/status.tsx";
import { exactTime, plural } from "../format.ts";
import { useSession } from "../session.ts";
import type { Try } from "../try.ts";
import { checkpointIn, isGenuine, type PublicKey, type Verified, verifyLog } from "../verify.ts";

interface Checked {
  fault?: string;
  verified?: Verified;
  /** The service's newest checkpoint. */
  checkpoint?: string;
  /** Of the signature. Undefined: the keys are not known here. */
  isSigned?: boolean | undefined;
  at: number;
}

/** Reads the whole log, and computes each hash again in this browser. */
async function check(organizationId: string, signal: AbortSignal): Promise<Checked> {
  const at = Date.now();
  // The checkpoint comes first: records that are added in between are then in the log too.
  const checkpoint = await newestCheckpoint(organizationId, signal);
  // The console's server marks the records that it hides in part. Nobody else knows the mark.
  const mark = crypto.randomUUID();
  const text = await operationText(`activities?${new URLSearchParams({ organizationId, mark })}`, signal);
  const verdict = await verifyLog(text.split("\n").filter(Boolean), mark);
  if ("fault" in verdict) return { fault: verdict.fault, at };
  const { verified } = verdict;
  if (checkpoint === undefined) return { verified, at };
  const said = checkpointIn(checkpoint);
  const isSame = said && said.chain === verified.chain && said.hash === verified.hashes[said.sequence - 1];
  if (!isSame) return { fault: "The log is not the one of the service's own checkpoint.", at };
  return { verified, checkpoint, isSigned: await signedBy(checkpoint, signal), at };
}

/** Undefined: the log has no records, so there is none. */
async function newestCheckpoint(organizationId: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const path = "v2/activities/checkpoint/get";
    return (await load<{ checkpoint: string }>(path, { organizationId }, signal)).checkpoint;
  } catch (thrown) {
    if (thrown instanceof ApiFailure && thrown.status === "FAILED_PRECONDITION") return undefined;
    throw thrown;
  }
}

async function signedBy(checkpoint: string, signal: AbortSignal): Promise<boolean | undefined> {
  try {
    const path = "/console/api/.well-known/jwks/console/records";
    const { keys } = await fetchJson<{ keys: PublicKey[] }>(path, { signal });
    return await isGenuine(checkpoint, keys);
  } catch (thrown) {
    if (thrown instanceof ApiFailure) return undefined;
    throw thrown;
  }
}

export function Verification({ organizationId }: { organizationId: string }) {
  const has = useSession()?.operations.activities ?? false;
  const [checked, setChecked] = useState<Checked>();
  const verify = async ({ signal }: Try) => setChecked(await check(organizationId, signal));
  return (
    <Part title="Verification">
      <p class="quiet">
        Each record has the hash of the record before it. Your browser computes all hashes of the log again, so a record
        that was changed, removed or moved is found.
      </p>
      {has ? (
        <div>
          <Action scope="read" run={verify}>
            {checked ? "Verify again" : "Verify the log"}
          </Action>
        </div>
      ) : (
        <>
          <p>This console cannot read the whole log. Export and verify it in a terminal:</p>
          <Code text={`npm run admin -- activities export --help\nnpm run admin -- activities verify --help`} />
        </>
      )}
      {checked && <Result checked={checked} />}
    </Part>
  );
}

function Result({ checked: { fault, verified, checkpoint, isSigned, at } }: { checked: Checked }) {
  if (fault || isSigned === false)
    return (
      <div class="notice bad" role="alert">
        <p>
          <Status tone="bad">Not verified</Status> {fault ?? "The checkpoint is not signed by this workspace's key."}
        </p>
        <p>Keep a copy of the log, and compare it with an earlier checkpoint.</p>
      </div>
    );
  if (!verified) return null;
  const { records, textsRemoved, hidden } = verified;
  if (records === 0) return <p class="card">The log has no records yet, so there is nothing to verify.</p>;
  return (
    <div class="card stack" role="status">
      <p>
        <Status tone="good">Verified</Status> <span class="quiet">in this browser, {exactTime(at / 1_000)}</span>
      </p>
      <p>
        {plural(records, "record")}, from the first to the last: {hidden > 0 ? "each other than the hidden" : "each"} is
        as it was written.{" "}
        {hidden > 0 && `${plural(hidden, "record")} with a key of this console: hidden, not checked. `}
        {textsRemoved > 0
          ? `${plural(textsRemoved, "text")} ${textsRemoved === 1 ? "was" : "were"} removed, as an erasure does; the records stand.`
          : "No text was removed."}{" "}
        {checkpoint &&
          (isSigned
            ? "The service's signed checkpoint names the same last record, and its signature is genuine."
            : "The service's checkpoint names the same record. Its signature was not checked here.")}
      </p>
      {checkpoint && (
        <details>
          <summary>What this check cannot detect</summary>
          <div class="stack">
            <p class="quiet">
              A log that was written anew from its first to its last record. Keep this checkpoint outside of the
              service, and compare later: a genuine log still contains it.
            </p>
            <Code text={checkpoint} />
          </div>
        </details>
      )}
    </div>
  );
}
