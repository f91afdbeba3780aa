// A confirmation before an irreversible action.

import { Dialog } from "./Dialog.tsx";

export interface Question {
  readonly title: string;
  readonly words: string;
  readonly yes: string; // label of the confirming button
  readonly no?: string; // label of the cancelling button; "Stay" by default
  readonly act: () => void;
}

export function Confirm({ question, onClose }: { question: Question; onClose: () => void }) {
  return (
    <Dialog title={question.title} onClose={onClose}>
      <p>{question.words}</p>
      <p class="dialog-do">
        <button type="button" class="button" onClick={onClose}>
          {question.no ?? "Stay"}
        </button>
        <button
          type="button"
          class="button button-warn"
          onClick={() => {
            onClose();
            question.act();
          }}
        >
          {question.yes}
        </button>
      </p>
    </Dialog>
  );
}
