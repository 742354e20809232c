import { NumberInput, VisuallyHidden, type NumberInputProps } from "@mantine/core";

interface UnitInputProps extends Omit<NumberInputProps, "label" | "rightSection"> {
  label: string;
  /** Stands beside the number: "Mbit/s". */
  unit: string;
}

const REM_PER_LETTER = 0.62;

/** A number with its unit beside it. An empty field is "". Needs the full styles. */
export function UnitInput({ label, unit, ...rest }: UnitInputProps) {
  return (
    <NumberInput
      {...rest}
      label={
        <>
          {label}
          <VisuallyHidden> ({unit})</VisuallyHidden>
        </>
      }
      hideControls
      allowNegative={false}
      inputMode="decimal"
      rightSection={
        <span aria-hidden style={{ color: "var(--mantine-color-dimmed)", fontSize: "0.85em" }}>
          {unit}
        </span>
      }
      rightSectionWidth={`${unit.length * REM_PER_LETTER + 1}rem`}
      rightSectionPointerEvents="none"
      rightSectionProps={{ style: { justifyContent: "flex-end", paddingInlineEnd: "0.8rem" } }}
    />
  );
}
