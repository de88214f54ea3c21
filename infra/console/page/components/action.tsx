// Buttons and forms that change something.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type ApiFailure, failureOf, isFinal, type KeyOf, keysOf } from "../api.ts";
import { refresh } from "../live.ts";
import { type Scope, useRefusal } from "../session.ts";
import { Failure } from "./list.tsx";

const shownMs = 5_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short note at the edge: that something is done, or why it is not possible. */
export function say(text: string): void {
  const toast = document.getElementById("toast");
  if (!toast) return;
  toast.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    toast.textContent = "";
  }, shownMs);
}

export const Toast = () => <p id="toast" class="toast" role="status" />;

type Run<A extends unknown[]> = (...args: [...A, KeyOf]) => Promise<unknown>;

/** Runs a change, and keeps its failure. Returns whether it is done. */
function useChange<A extends unknown[]>(work: Run<A>, done: string | undefined) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const keys = useRef(new Map<string, string>());
  const place = useRef(new AbortController());
  useEffect(() => () => place.current.abort(), []);
  const run = async (...args: A): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work(...args, keysOf(keys.current));
      keys.current.clear();
      if (done) say(done);
      return true;
    } catch (thrown) {
      const failed = failureOf(thrown);
      if (isFinal(failed)) keys.current.clear();
      // The reader has left the place where the failure would be.
      if (place.current.signal.aborted) say(failed.message);
      setFailure(failed);
      return false;
    } finally {
      setBusy(false);
      refresh();
    }
  };
  return { run, isBusy, failure };
}

interface Question {
  title: string;
  text: ComponentChildren;
  /** What the reader must type. */
  typed?: string;
}

interface ActionProps {
  scope: Scope;
  run: Run<[]>;
  /** Said when it is done. */
  done?: string;
  /** Asked before. */
  ask?: Question;
  isBad?: boolean;
  /** For a screen reader, if the text alone is ambiguous. */
  label?: string;
  children: string;
}

/** A button that says why it is disabled, asks if needed, and shows its failure below. */
export function Action({ scope, run, done, ask, isBad = false, label, children }: ActionProps) {
  const change = useChange(run, done);
  const refusal = useRefusal(scope);
  const [isAsking, setAsking] = useState(false);
  const click = ({ detail: clicks }: MouseEvent) => {
    if (refusal) return say(refusal);
    // The second click of a double click: the button can mean the contrary by now, or be the one of the next row.
    if (clicks > 1 || change.isBusy) return;
    if (ask) setAsking(true);
    else void change.run();
  };
  const answer = (isYes: boolean) => {
    setAsking(false);
    if (isYes) void change.run();
  };
  return (
    <>
      <button
        type="button"
        class={isBad ? "bad" : undefined}
        aria-disabled={refusal || change.isBusy ? "true" : undefined}
        aria-label={label}
        title={refusal}
        onClick={click}
      >
        {children}
      </button>
      {ask && isAsking && <Ask {...ask} confirm={children} answer={answer} />}
      {change.failure && <Failure failure={change.failure} retry={() => void change.run()} />}
    </>
  );
}

interface AskProps extends Question {
  confirm: string;
  answer: (isYes: boolean) => void;
}

/** As a browser shows it: a text field has no line breaks, and a page shows one space for several. */
const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Asks in a modal dialog of the browser, which keeps the focus inside and gives it back. */
function Ask({ title, text, typed, confirm, answer }: AskProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [words, setWords] = useState("");
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    answer(true);
  };
  return (
    <dialog ref={dialog} aria-label={title} onCancel={() => answer(false)}>
      <form class="stack" onSubmit={submit}>
        <h2>{title}</h2>
        <div>{text}</div>
        {typed !== undefined && (
          <label class="field">
            <span>
              To confirm, type <code>{typed}</code>
            </span>
            <input value={words} onInput={(event) => setWords(event.currentTarget.value)} autocomplete="off" />
          </label>
        )}
        <div class="row end">
          <button type="button" onClick={() => answer(false)}>
            Cancel
          </button>
          <button type="submit" class="bad" disabled={typed !== undefined && inOneLine(words) !== inOneLine(typed)}>
            {confirm}
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface FormProps {
  scope: Scope;
  run: Run<[FormData]>;
  done?: string;
  /** Of its button. */
  submit: string;
  children: ComponentChildren;
}

/** A form whose fields the browser keeps and checks. It is empty again when it is done. */
export function Form({ scope, run, done, submit, children }: FormProps) {
  const change = useChange(run, done);
  const refusal = useRefusal(scope);
  const form = useRef<HTMLFormElement>(null);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!form.current || refusal || change.isBusy) return;
    if (await change.run(new FormData(form.current))) form.current?.reset();
  };
  return (
    <form ref={form} class="card stack" onSubmit={(event) => void send(event)}>
      <fieldset class="stack" disabled={change.isBusy || refusal !== undefined}>
        {children}
        <div>
          <button type="submit" class="main">
            {submit}
          </button>
        </div>
      </fieldset>
      {refusal && <p class="quiet">{refusal}</p>}
      {change.failure && <Failure failure={change.failure} retry={() => form.current?.requestSubmit()} />}
    </form>
  );
}
