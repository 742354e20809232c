import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

interface TextFilterProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}

const QUIET_MS = 250;

/** Filters by what is typed, once one pauses. */
export function TextFilter({ label, placeholder, value, onChange }: TextFilterProps) {
  /** What is typed, until it is told. */
  const [typed, setTyped] = useState({ text: value, after: value });
  const tell = useDebouncedCallback(onChange, QUIET_MS);
  return (
    <TextInput
      type="search"
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      value={typed.after === value ? typed.text : value}
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped({ text, after: value });
        tell(text);
      }}
    />
  );
}
