import { useId } from "react";
import classes from "./choice-bar.module.css";

interface ChoiceBarProps<Value extends string> {
  /** What is chosen: "Time range". */
  label: string;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A few choices side by side, of which one holds. */
export function ChoiceBar<Value extends string>(props: ChoiceBarProps<Value>) {
  const { label, choices, value, onChange } = props;
  const name = useId();
  return (
    <fieldset className={classes.bar}>
      <legend className={classes.legend}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={classes.choice}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
