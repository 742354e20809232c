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
  /** What is typed and not told yet. */
  const [typed, setTyped] = useState<string>();
  const tell = useDebouncedCallback((text: string) => {
    onChange(text);
    setTyped(undefined);
  }, QUIET_MS);
  return (
    <TextInput
      type="search"
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      value={typed ?? value}
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        tell(text);
      }}
    />
  );
}
