import classes from "./copy-field.module.css";
import { CopyButton } from "./copy-button.tsx";

interface CopyFieldProps {
  /** What it is: "Report token". */
  label: string;
  text: string;
  /** Of several lines, as a command is. */
  isBlock?: boolean;
}

/** A text to be used elsewhere, with a button that copies it; it can be selected, too. */
export function CopyField({ label, text, isBlock = false }: CopyFieldProps) {
  return (
    <div className={classes.field} role="group" aria-label={label}>
      {isBlock ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <pre className={classes.text} tabIndex={0}>
          {text}
        </pre>
      ) : (
        <code className={classes.text}>{text}</code>
      )}
      <CopyButton text={text} what={label} />
    </div>
  );
}
