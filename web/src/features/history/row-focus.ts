const findRows = () => [...document.querySelectorAll<HTMLElement>('[data-session]')]
const getId = ({ dataset }: HTMLElement) => dataset['session']
const findRow = (sessionId: string) => findRows().find((row) => getId(row) === sessionId)
const findMenuButton = (sessionId: string) =>
  findRow(sessionId)?.querySelector<HTMLElement>('[aria-haspopup]') ?? null

/** The row below another one, or else the one above. */
function findNeighbour(sessionId: string): HTMLElement | undefined {
  const rows = findRows()
  const index = rows.findIndex((row) => getId(row) === sessionId)
  return rows[index + 1] ?? rows[index - 1]
}

/** How many frames a row has to move or to disappear: a second on most screens. */
const maxFrames = 60

/** Calls `attempt` before each of the next frames until it returns true. */
function retryEachFrame(attempt: () => boolean, framesLeft = maxFrames): void {
  requestAnimationFrame(() => {
    if (!attempt() && framesLeft > 1) retryEachFrame(attempt, framesLeft - 1)
  })
}

/** Keeps the focus on the menu button of a row that is about to move in the list, such as when it is pinned. */
export function focusMovedRow(sessionId: string): void {
  const before = findMenuButton(sessionId)
  retryEachFrame(() => {
    const current = findMenuButton(sessionId)
    if (!current || current === before) return false
    current.focus()
    return true
  })
}

/** Moves the focus from the menu of a row that is about to disappear to the menu button of its neighbour. */
export function focusNeighbourMenu(sessionId: string): void {
  const neighbour = findNeighbour(sessionId)
  const neighbourId = neighbour && getId(neighbour)
  if (neighbourId === undefined) return
  retryEachFrame(() => {
    if (findRow(sessionId)) return false
    // an open panel has the focus when nothing in it has; anything else was given it on purpose
    if (document.activeElement?.matches('body, [role="dialog"]')) findMenuButton(neighbourId)?.focus()
    return true
  })
}

/** Moves the focus to the last row, for a button below the list that disappears. The rows that load next follow that row. */
export function focusLastRow(): void {
  findRows().at(-1)?.querySelector('button')?.focus()
}

/** Moves the focus from a row that is about to disappear to the delete button of its neighbour. */
export function focusNeighbourDelete(sessionId: string): void {
  if (!findRow(sessionId)?.contains(document.activeElement)) return
  findNeighbour(sessionId)?.querySelector<HTMLElement>('button:last-of-type')?.focus()
}
