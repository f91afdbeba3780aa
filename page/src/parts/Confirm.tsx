// A question before something that cannot be taken back.

import { Dialog } from "./Dialog.tsx";

export interface Question {
  readonly title: string;
  readonly words: string;
  readonly yes: string; // what the button says that does it
  readonly no?: string; // and the one that does not; "Stay" unless said
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
