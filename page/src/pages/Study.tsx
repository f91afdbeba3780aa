// Study: the library of solved spots, and the shelf of those that come with tahur.

import { useRef, useState } from "preact/hooks";
import { amountText, chipsText, secondsText, sizeText } from "../logic/study.ts";
import { pathOf } from "../logic/route.ts";
import { Asked } from "../parts/Asked.tsx";
import { CardWords } from "../parts/Card.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { Link } from "../parts/Link.tsx";
import { askShelves, deleteSpot, fileAddress, importSpot, renameSpot, restoreSpot } from "../store/study.ts";
import type { Shelves, SpotCard } from "../wire.ts";

export function Study() {
  return (
    <div class="study-library">
      <h1>Study</h1>
      <p class="lead">
        Solved spots of hold’em from the flop on. Open one, walk through its bets and cards, and see how every hand is
        played and what it is worth.
      </p>
      <Asked ask={askShelves} what="the spots">
        {(shelves, reload) => <Library shelves={shelves} reload={reload} />}
      </Asked>
    </div>
  );
}

function Library({ shelves, reload }: { shelves: Shelves; reload: () => void }) {
  const [said, setSaid] = useState<{ words: string; undo?: () => void; wrong?: boolean }>();
  const tell = (error: unknown) => setSaid({ words: error instanceof Error ? error.message : String(error), wrong: true });
  const remove = (card: SpotCard) =>
    deleteSpot(card.spot).then(() => {
      const undo = () => void restoreSpot(card.spot).then(() => (setSaid(undefined), reload()), tell);
      setSaid({ words: `“${card.name}” is deleted.`, undo });
      reload();
    }, tell);
  const saved = shelves.spots.filter((card) => !card.shelf);
  const shelf = shelves.spots.filter((card) => card.shelf);
  return (
    <>
      <div class="study-said" role="status">
        {said && (
          <p class={said.wrong ? "wrong" : "soft"}>
            {said.words}{" "}
            {said.undo && (
              <button type="button" class="quiet strong" onClick={said.undo}>
                Undo
              </button>
            )}
          </p>
        )}
      </div>
      <section aria-labelledby="shelf-title">
        <h2 id="shelf-title">To start with</h2>
        <ul class="spot-list">
          {shelf.map((card) => (
            <SpotLine key={card.spot} card={card} operator={shelves.operator} remove={remove} reload={reload} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="saved-title">
        <h2 id="saved-title">Your files</h2>
        {saved.length === 0 && (
          <p class="soft">
            {shelves.operator ? "Nothing here yet. Solve a spot in a terminal, " : "The operator has added no files."}
            {shelves.operator && (
              <>
                <code>tahur postflop solve … -o spot.tahur</code>, and import the file.
              </>
            )}
          </p>
        )}
        <ul class="spot-list">
          {saved.map((card) => (
            <SpotLine key={card.spot} card={card} operator={shelves.operator} remove={remove} reload={reload} />
          ))}
        </ul>
        {shelves.operator && <Import most={shelves.most_upload} done={() => (setSaid(undefined), reload())} tell={tell} />}
      </section>
    </>
  );
}

function Import({ most, done, tell }: { most: number; done: () => void; tell: (error: unknown) => void }) {
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    setBusy(true);
    try {
      if (file.size > most) throw new Error(`${file.name} has ${sizeText(file.size)}; at most ${sizeText(most)} can be imported.`);
      await importSpot(file);
      done();
    } catch (error) {
      tell(error);
    }
    setBusy(false);
    if (input.current) input.current.value = "";
  }
  return (
    <label class="button import">
      {busy ? "Importing…" : "Import a file"}
      <input
        ref={input}
        class="hidden"
        type="file"
        accept=".tahur"
        disabled={busy}
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
    </label>
  );
}

interface LineProps {
  readonly card: SpotCard;
  readonly operator: boolean;
  readonly remove: (card: SpotCard) => void;
  readonly reload: () => void;
}

function SpotLine({ card, operator, remove, reload }: LineProps) {
  const [naming, setNaming] = useState(false);
  const stored = card.size > 0;
  return (
    <li class="spot-line">
      <div class="spot-what">
        {card.state === "unreadable" ? (
          <b>{card.name}</b>
        ) : (
          <Link to={pathOf({ page: "spot", spot: card.spot, line: [] })} class="spot-name">
            {card.name}
          </Link>
        )}
        <span class="spot-board">
          {card.board.map((name) => (
            <CardWords key={name} card={name} />
          ))}
        </span>
        <small>{card.about}</small>
        {card.problem && <small class="wrong">{card.problem}</small>}
      </div>
      <dl class="spot-facts">
        {card.unit && <Fact name="pot" value={chipsText(card.pot, card.unit)} />}
        {card.unit && <Fact name="stack" value={chipsText(card.stack, card.unit)} />}
        {card.exploitability !== null && <Fact name="accuracy" value={`${amountText(card.exploitability)}% of the pot`} />}
        {stored && <Fact name="file" value={sizeText(card.size)} />}
        {card.saved !== null && <Fact name="saved" value={new Date(1000 * card.saved).toLocaleDateString()} />}
        {card.state === "unsolved" && <Fact name="to solve" value={secondsText(card.seconds)} />}
      </dl>
      {operator && stored && (
        <p class="spot-do">
          <button type="button" class="quiet" aria-label={`Rename ${card.name}`} onClick={() => setNaming(true)}>
            Rename
          </button>
          <a class="quiet" href={fileAddress(card.spot)} download aria-label={`Download ${card.name}`}>
            Download
          </a>
          <button type="button" class="quiet" aria-label={`Delete ${card.name}`} onClick={() => remove(card)}>
            Delete
          </button>
        </p>
      )}
      {naming && <RenameDialog card={card} onClose={() => setNaming(false)} done={reload} />}
    </li>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function RenameDialog({ card, onClose, done }: { card: SpotCard; onClose: () => void; done: () => void }) {
  const [name, setName] = useState(card.name);
  const [why, setWhy] = useState("");
  async function save(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await renameSpot(card.spot, name);
      onClose();
      done();
    } catch (error) {
      setWhy(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <Dialog title="Rename the spot" onClose={onClose}>
      <form class="rename" onSubmit={(event) => void save(event)}>
        <label>
          <span>Name</span>
          <input value={name} maxLength={80} required onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        {why && (
          <p class="wrong" role="alert">
            {why}
          </p>
        )}
        <p class="dialog-do">
          <button type="submit" class="button">
            Save
          </button>
        </p>
      </form>
    </Dialog>
  );
}
