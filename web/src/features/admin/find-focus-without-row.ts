/**
 * Where the focus moves when the dialog about a row of a list closes: the row may have gone with the button that opened it.
 * @returns null while the list has the row: the focus returns to that button
 */
export const findFocusWithoutRow = (
  list: HTMLElement | null,
  { hasRow }: { hasRow: boolean },
): HTMLElement | null => (hasRow ? null : (list?.querySelector<HTMLElement>('button') ?? null))
