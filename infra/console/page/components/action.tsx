// Buttons that change something.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ApiFailure, isFinal } from "../api.ts";
import { refresh } from "../live.ts";
import { loadSession, useRefusal } from "../session.ts";
import { type Try, tryOf } from "../try.ts";
import { confirmation } from "./confirm.tsx";
import { Failure } from "./failure.tsx";
import { say } from "./toast.tsx";

/** Runs one change at a time, and keeps its failure. */
export function useChange() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const values = useRef(new Map<string, unknown>());
  const page = useRef(new AbortController());
  useEffect(() => () => page.current.abort(), []);
  const run = async (work: (attempt: Try) => Promise<unknown>, done?: string): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work(tryOf(values.current, page.current.signal));
      values.current.clear();
      if (done) say(done);
      refresh();
      return true;
    } catch (thrown) {
      if (isFinal(thrown)) values.current.clear();
      if (page.current.signal.aborted) {
        // The reader has left the place where the failure would be. A load that ended with it is none.
        if (thrown instanceof ApiFailure) say(thrown.message);
        return false;
      }
      // A server that was started again does not know this window any more, and the page says so.
      if (thrown instanceof ApiFailure && thrown.status === "PERMISSION_DENIED") loadSession().catch(() => {});
      setFailure(thrown instanceof ApiFailure ? thrown : new ApiFailure("FAILED", String(thrown)));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, failure, forget: () => setFailure(undefined) };
}

export interface Question {
  title: string;
  text: ComponentChildren;
  /** Of the button that does it. */
  confirm: string;
  /** What the reader must type. */
  typed?: string;
}

interface ActionProps {
  scope: "read" | "write" | "admin";
  run: (attempt: Try) => Promise<unknown>;
  /** Announced when it is done. */
  done?: string;
  /** Asked before. */
  ask?: Question;
  tone?: "bad" | "main" | "plain" | "bare";
  label?: string;
  children: ComponentChildren;
}

/** A button that says why it is disabled, asks if needed, and shows its failure below. */
export function Action({ scope, run, done, ask, tone = "plain", label, children }: ActionProps) {
  const change = useChange();
  const refusal = useRefusal(scope);
  const id = useId();
  const act = async () => {
    if (refusal) return say(refusal);
    if (change.isBusy || (ask && !(await confirmation(ask)))) return;
    await change.run(run, done);
  };
  return (
    <>
      <button
        type="button"
        class={tone}
        aria-disabled={refusal || change.isBusy ? "true" : undefined}
        aria-describedby={refusal ? id : undefined}
        aria-label={label}
        title={refusal}
        onClick={() => void act()}
      >
        {children}
      </button>
      {refusal && (
        <span id={id} class="hidden">
          {refusal}
        </span>
      )}
      {change.failure && <Failure failure={change.failure} retry={() => void change.run(run, done)} />}
    </>
  );
}
