// Buttons that change something.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiFailure, isFinal } from "../api.ts";
import { refresh } from "../live.ts";
import { loadSession, useRefusal } from "../session.ts";
import { type Try, tryOf } from "../try.ts";
import { confirmation } from "./confirm.tsx";
import { focusHeading } from "./dialog.tsx";
import { Failure } from "./failure.tsx";
import { say } from "./toast.tsx";

/** The values of the changes that run now. Their component may have gone. */
const running = new WeakSet<object>();

/** Runs one change at a time, and keeps its failure. `kept`: the values of its tries, if they outlive the component. */
export function useChange(kept?: Map<string, unknown>) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const own = useRef(new Map<string, unknown>());
  const values = kept ?? own.current;
  const page = useRef(new AbortController());
  useEffect(() => () => page.current.abort(), []);
  const run = async (work: (attempt: Try) => Promise<unknown>, done?: string): Promise<boolean> => {
    if (running.has(values)) {
      say("The first try still runs.");
      return false;
    }
    running.add(values);
    setBusy(true);
    setFailure(undefined);
    try {
      await work(tryOf(values, page.current.signal));
      values.clear();
      if (done) say(done);
      refresh();
      return true;
    } catch (thrown) {
      if (isFinal(thrown)) values.clear();
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
      running.delete(values);
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

/** After a change, a button can mean the contrary of before. So it ignores clicks for this time. */
const doubleClickMs = 500;

/** When any button has last changed something. */
let lastChangeAt = Number.NEGATIVE_INFINITY;

/** A button that says why it is disabled, asks if needed, and shows its failure below. */
export function Action({ scope, run, done, ask, tone = "plain", label, children }: ActionProps) {
  const change = useChange();
  const refusal = useRefusal(scope);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(
    () => () => {
      // What the button has deleted can have gone with the button.
      if (document.activeElement === button.current) focusHeading();
    },
    [],
  );
  const [isResting, setResting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const rest = () => {
    if (scope === "read") return;
    setResting(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setResting(false), doubleClickMs);
  };
  const shown = useRef(children);
  useEffect(() => {
    if (typeof children === "string" && children !== shown.current) rest();
    shown.current = children;
  }, [children]);
  const act = async ({ detail: clicks }: MouseEvent) => {
    if (refusal) return say(refusal);
    // A row that has gone lets the next one move under the pointer.
    if (clicks > 1 && performance.now() - lastChangeAt < doubleClickMs) return;
    if (isResting || change.isBusy || (ask && !(await confirmation(ask)))) return;
    if (!(await change.run(run, done))) return;
    lastChangeAt = performance.now();
    rest();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={tone}
        aria-disabled={refusal || change.isBusy || isResting ? "true" : undefined}
        aria-describedby={refusal ? id : undefined}
        aria-label={label}
        title={refusal}
        onClick={(event) => void act(event)}
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
