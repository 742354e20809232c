import { Button } from "@mantine/core";
import type { ReactNode } from "react";

/**
 * Sends a form. Pressing it leaves the focus in the field: were that left and judged first, the words
 * about what is wrong would push the button away from under the pointer, and the click would be lost.
 */
export function SubmitButton({ isSending, children }: { isSending: boolean; children: ReactNode }) {
  return (
    <Button type="submit" loading={isSending} onMouseDown={(event) => event.preventDefault()}>
      {children}
    </Button>
  );
}
