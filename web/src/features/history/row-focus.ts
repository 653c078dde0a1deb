const findRows = () => [...document.querySelectorAll<HTMLElement>('[data-session]')]
const findRow = (sessionId: string) => findRows().find(({ dataset }) => dataset['session'] === sessionId)
const findMenuButton = (sessionId: string) =>
  findRow(sessionId)?.querySelector<HTMLElement>('[aria-haspopup]') ?? null

/** How long to wait for a row to move: a second on most screens. Without the row the focus stays where it is. */
const maxFrames = 60

/** Keeps the focus on a row that moves in the list within the next frames, such as when it is pinned. */
export function focusMovedRow(sessionId: string): void {
  const before = findMenuButton(sessionId)
  let framesLeft = maxFrames
  const focusOnceMoved = () => {
    const current = findMenuButton(sessionId)
    if (current && current !== before) current.focus()
    else if ((framesLeft -= 1) > 0) requestAnimationFrame(focusOnceMoved)
  }
  requestAnimationFrame(focusOnceMoved)
}

/** Moves the focus to the last row, for a button below the list that disappears. The rows that load next follow that row. */
export function focusLastRow(): void {
  findRows().at(-1)?.querySelector('button')?.focus()
}

/** Moves the focus from a row that is about to disappear to the delete button of the next row, or of the one before. */
export function focusNextRow(sessionId: string): void {
  const rows = findRows()
  const rowIndex = rows.findIndex(({ dataset }) => dataset['session'] === sessionId)
  if (!rows[rowIndex]?.contains(document.activeElement)) return
  const next = rows[rowIndex + 1] ?? rows[rowIndex - 1]
  next?.querySelector<HTMLElement>('button:last-of-type')?.focus()
}
