/**
 * Acts at once, or after the pointer that is pressed now was let go: an element that moves away from
 * under the pointer before that is not clicked.
 */
export function afterPress(act: () => void): void {
  if (!document.querySelector(":active")) {
    act();
    return;
  }
  const press = new AbortController();
  const end = (): void => {
    press.abort();
    // The click comes first.
    setTimeout(act);
  };
  for (const name of ["pointerup", "pointercancel"]) {
    addEventListener(name, end, { capture: true, signal: press.signal });
  }
}
