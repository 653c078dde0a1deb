const findRows = () => [...document.querySelectorAll<HTMLElement>('[data-session]')]
const findRow = (sessionId: string) => findRows().find(({ dataset }) => dataset['session'] === sessionId)
const findMenuButton = (sessionId: string) =>
  findRow(sessionId)?.querySelector<HTMLElement>('[aria-haspopup]') ?? null

/** Keeps the focus on a row that moves in the list within the next frames, such as when it is pinned. */
export function focusMovedRow(sessionId: string) {
  const before = findMenuButton(sessionId)
  let framesLeft = 60
  const focusOnceMoved = () => {
    const current = findMenuButton(sessionId)
    if (current && current !== before) current.focus()
    else if ((framesLeft -= 1) > 0) requestAnimationFrame(focusOnceMoved)
  }
  requestAnimationFrame(focusOnceMoved)
}

/** Moves the focus to the last row, for a button below the list that disappears. The rows that load next follow that row. */
export function focusLastRow() {
  findRows().at(-1)?.querySelector('button')?.focus()
}

/** Moves the focus from a row that is about to disappear to the delete button of the next row, or of the one before. */
export function focusNextRow(sessionId: string) {
  const rows = findRows()
  const rowIndex = rows.findIndex(({ dataset }) => dataset['session'] === sessionId)
  if (!rows[rowIndex]?.contains(document.activeElement)) return
  const next = rows[rowIndex + 1] ?? rows[rowIndex - 1]
  next?.querySelector<HTMLElement>('button:last-of-type')?.focus()
}
