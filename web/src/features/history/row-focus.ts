const findRows = () => [...document.querySelectorAll<HTMLElement>('[data-session]')]
const findRow = (sessionId: string) => findRows().find(({ dataset }) => dataset['session'] === sessionId)
const findMenuButton = (sessionId: string) =>
  findRow(sessionId)?.querySelector<HTMLElement>('[aria-haspopup]') ?? null

/** A pinned row moves in the list within the next frames: keep the focus on it. */
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

/** A button below the list that disappears gives the focus to the last row: what is loaded next follows it. */
export function focusLastRow() {
  findRows().at(-1)?.querySelector('button')?.focus()
}

/** A removed row loses the focus, so it moves to the delete button of the next row, or of the last one. */
export function focusNextRow(sessionId: string) {
  const rows = findRows()
  const rowIndex = rows.findIndex(({ dataset }) => dataset['session'] === sessionId)
  if (!rows[rowIndex]?.contains(document.activeElement)) return
  const next = rows[rowIndex + 1] ?? rows[rowIndex - 1]
  next?.querySelector<HTMLElement>('button:last-of-type')?.focus()
}
