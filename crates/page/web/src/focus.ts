/** Draws anew; the keyboard stays on the control with the same name. */
export function keepingFocus(root: HTMLElement, draw: () => void): void {
  const active = document.activeElement;
  const name = active instanceof HTMLElement && root.contains(active) ? active.dataset.testid : undefined;
  draw();
  if (name && !root.contains(document.activeElement))
    root.querySelector<HTMLElement>(`[data-testid="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}
