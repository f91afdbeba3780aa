// New room: the game and its rules in words, seats, stakes, clock, and bots.

import { useState } from "preact/hooks";
import { GAMES, stakesWords, type GameName } from "../logic/games.ts";
import {
  firstDraft,
  gameCard,
  mindsFor,
  noModel,
  withGame,
  withMind,
  withSeats,
  wrongWith,
  type Draft,
} from "../logic/newroom.ts";
import { Asked } from "../parts/Asked.tsx";
import { Choice, NumberField, Pick } from "../parts/fields.tsx";
import { Gallery } from "../parts/Gallery.tsx";
import { NameField } from "../parts/NameField.tsx";
import { SeatList } from "../parts/SeatList.tsx";
import { Tick } from "../parts/SettingsDialog.tsx";
import { askHouse, openRoom, Refusal } from "../store/house.ts";
import { go } from "../store/navigation.ts";
import { ownName } from "../store/settings.ts";
import type { House } from "../wire.ts";

const CLOCKS: readonly (readonly [number, string])[] = [
  [0, "no clock"],
  [15, "15 s"],
  [30, "30 s"],
  [60, "60 s"],
  [120, "2 min"],
];
const PACES = [
  ["calm", "calm"],
  ["usual", "as people do"],
  ["quick", "quick"],
  ["brisk", "at once"],
] as const;

export function NewRoomPage() {
  return (
    <div class="new">
      <h1>A new room</h1>
      <Asked ask={askHouse} what="the house">
        {(house) => <Form house={house} />}
      </Asked>
    </div>
  );
}

function Form({ house }: { house: House }) {
  const [draft, setDraft] = useState<Draft>(() => firstDraft(house));
  const [place, setPlace] = useState(0); // the seat to be filled from the gallery
  const [state, setState] = useState("");
  const card = gameCard(house, draft.game);
  const rules = card.rules.find((each) => each.name === draft.rules) ?? card.rules[0];
  const wrong = wrongWith(draft);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });

  async function open(): Promise<void> {
    setState("opening");
    try {
      const seated = await openRoom({
        ...draft,
        rules: draft.rules || (card.rules[0]?.name ?? ""),
        wait: draft.minds.includes(null),
        name: ownName(),
      });
      go({ page: "room", room: seated.room });
    } catch (error) {
      setState(error instanceof Refusal ? error.message : String(error));
    }
  }

  return (
    <form
      class="new-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrong) void open();
      }}
    >
      <fieldset class="new-game">
        <legend>Game</legend>
        <div class="choices">
          {house.games.map((each) => (
            <Choice
              key={each.game}
              name="game"
              on={draft.game === each.game}
              label={each.title}
              choose={() => {
                setDraft(withGame(house, draft, each.game as GameName));
                setPlace(0);
              }}
            />
          ))}
        </div>
        {card.rules.length > 1 && (
          <div class="choices" role="group" aria-label="rules">
            {card.rules.map((each) => (
              <Choice
                key={each.name}
                name="rules"
                on={each === rules}
                label={each.title}
                choose={() => set({ rules: each.name })}
              />
            ))}
          </div>
        )}
        {rules && (
          <details class="rules" open>
            <summary>The rules, in words</summary>
            <p class="rule-card" tabIndex={0}>
              {rules.card}
            </p>
          </details>
        )}
      </fieldset>
      <fieldset class="new-stakes">
        <legend>{GAMES[draft.game].stakesTitle}</legend>
        {!GAMES[draft.game].hasBlinds ? (
          <NumberField label="Dice each" value={draft.dice} least={1} most={10} set={(dice) => set({ dice })} />
        ) : (
          <div class="fields">
            <NumberField
              label="Small blind"
              value={draft.blinds[0] ?? 1}
              least={0}
              most={100000}
              set={(small) => set({ blinds: [small, draft.blinds[1] ?? 2] })}
            />
            <NumberField
              label="Big blind"
              value={draft.blinds[1] ?? 2}
              least={1}
              most={100000}
              set={(big) => set({ blinds: [draft.blinds[0] ?? 1, big] })}
            />
            <NumberField
              label="Chips each"
              value={draft.stack}
              least={2}
              most={1000000}
              set={(stack) => set({ stack })}
            />
          </div>
        )}
        <Pick label="Time to decide" options={CLOCKS} value={draft.seconds} set={(seconds) => set({ seconds })} />
        {draft.seconds > 0 && (
          <NumberField
            label="Time bank, seconds"
            value={draft.bank}
            least={0}
            most={600}
            set={(bank) => set({ bank })}
          />
        )}
        <Pick label="Minds play" options={PACES} value={draft.pace} set={(pace) => set({ pace })} />
        <Tick
          label="A language model chooses for the personas"
          on={draft.llm}
          set={(llm) => set({ llm })}
          note={`${house.llm ?? ""}: it gets only what each of them sees`}
          not={noModel(house, draft.game)}
        />
        <Tick label="Open cards, for study" on={draft.open_cards} set={(open_cards) => set({ open_cards })} />
        <Tick label="Listed among the open rooms" on={draft.listed} set={(listed) => set({ listed })} />
      </fieldset>
      <fieldset class="new-seats">
        <legend>Who sits where</legend>
        <label class="field row">
          <span>Seats</span>
          <input
            class="seat-range"
            type="range"
            min={card.least_seats}
            max={card.most_seats}
            value={draft.minds.length + 1}
            onInput={(event) => setDraft(withSeats(house, draft, Number(event.currentTarget.value)))}
          />
          <output>{draft.minds.length + 1}</output>
        </label>
        <SeatList house={house} draft={draft} place={place} choose={setPlace} />
        <Gallery
          minds={mindsFor(house, draft.game)}
          chosen={draft.minds[place] ?? null}
          choose={(mind) => {
            setDraft(withMind(draft, place, mind));
            setPlace((place + 1) % draft.minds.length);
          }}
        />
      </fieldset>
      <div class="new-go">
        <NameField />
        <label class="field row">
          <span>Room’s name</span>
          <input
            value={draft.title}
            maxLength={60}
            placeholder="none needed"
            onInput={(event) => set({ title: event.currentTarget.value })}
          />
        </label>
        <p class="soft">
          {card.title}, {draft.minds.length + 1} seats · {stakesWords(draft)} ·{" "}
          {draft.llm ? "with a language model · " : ""}
          {draft.minds.includes(null) ? "friends join by its link, then you start the game" : "starts at once"}
        </p>
        {wrong && (
          <p class="wrong" role="alert">
            {wrong}
          </p>
        )}
        {state && state !== "opening" && (
          <p class="wrong" role="alert">
            {state}
          </p>
        )}
        <button type="submit" class="button button-main" disabled={wrong !== "" || state === "opening"}>
          {state === "opening" ? "Opening…" : "Open the room"}
        </button>
      </div>
    </form>
  );
}
