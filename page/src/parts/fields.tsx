// Fields of a form: a choice among few, a number, a pick in one row.

export function Choice({ name, on, label, choose }: { name: string; on: boolean; label: string; choose: () => void }) {
  return (
    <label class={`choice${on ? " choice-on" : ""}`}>
      <input type="radio" name={name} checked={on} onChange={choose} />
      {label}
    </label>
  );
}

export function NumberField({
  label,
  value,
  least,
  most,
  set,
}: {
  label: string;
  value: number;
  least: number;
  most: number;
  set: (value: number) => void;
}) {
  return (
    <label class="field row">
      <span>{label}</span>
      <input
        type="number"
        inputMode="numeric"
        min={least}
        max={most}
        required
        value={value}
        onInput={(event) => {
          if (event.currentTarget.value !== "") set(Number(event.currentTarget.value));
        }}
      />
    </label>
  );
}

export function Pick<T extends string | number>({
  label,
  options,
  value,
  set,
}: {
  label: string;
  options: readonly (readonly [T, string])[];
  value: T;
  set: (value: T) => void;
}) {
  return (
    <div class="field row">
      <span>{label}</span>
      <span class="choices small" role="group" aria-label={label}>
        {options.map(([each, words]) => (
          <Choice key={each} name={label} on={each === value} label={words} choose={() => set(each)} />
        ))}
      </span>
    </div>
  );
}
