import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";

interface SubmitButtonProps extends Pick<ButtonProps, "color" | "disabled" | "mt"> {
  isSending: boolean;
  children: ReactNode;
}

/**
 * Sends a form. Pressing it leaves the focus in the field: were that left and judged first, the words
 * about what is wrong would push the button away from under the pointer, and the click would be lost.
 */
export function SubmitButton({ isSending, ...rest }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      loading={isSending}
      onMouseDown={(event) => event.preventDefault()}
      {...rest}
    />
  );
}
