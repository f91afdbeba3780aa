// A native dialog of the browser: it traps the focus, and Escape closes it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!box.current?.open) box.current?.showModal();
  }, []);
  return (
    <dialog
      ref={box}
      class="dialog"
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet close" aria-label="close" onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
