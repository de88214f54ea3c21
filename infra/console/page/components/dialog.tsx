import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  onClose: () => void;
  class?: string;
  children: ComponentChildren;
}

/** For a part that goes while it has the focus. The keyboard goes on from the top of the page. */
export function focusHeading(): void {
  const place = document.querySelector<HTMLElement>("main h1") ?? document.getElementById("main");
  place?.focus({ preventScroll: true });
}

/** A modal dialog of the browser: it keeps the focus inside, Escape closes it, and the focus returns. */
export function Dialog({ title, onClose, class: name, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    const focused = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
      else focusHeading();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={name}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === element.current && onClose()}
    >
      <div class="inside">{children}</div>
    </dialog>
  );
}
