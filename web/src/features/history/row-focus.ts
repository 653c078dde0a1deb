import type { KeyboardEvent } from 'react'
import { direction } from '../../lib/text/locale.ts'

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

/** The id of the conversation in whose row an element is. */
export const findRowId = (element: Element): string | undefined =>
  element.closest<HTMLElement>('[data-session]')?.dataset['session']

/** Moves the focus between the rows with the keys up, down, Home and End, and in a row with those of both sides. Tab goes to one row only. */
export function moveInRows(event: KeyboardEvent): void {
  const { target, key } = event
  // a menu that is open moves by itself, and a field moves its caret
  if (event.defaultPrevented || !(target instanceof HTMLButtonElement)) return
  const row = target.closest<HTMLElement>('[data-session]')
  if (!row) return
  const buttons = findButtons(row)
  const column = buttons.indexOf(target)
  const rows = findRows()
  const index = rows.indexOf(row)
  const sideways = direction === 'rtl' ? -1 : 1
  const goals: Partial<Record<string, () => HTMLElement | undefined>> = {
    ArrowDown: () => findButtons(rows[index + 1])[column],
    ArrowUp: () => findButtons(rows[index - 1])[column],
    Home: () => findButtons(rows[0])[0],
    End: () => findButtons(rows.at(-1))[0],
    ArrowRight: () => buttons[column + sideways],
    ArrowLeft: () => buttons[column - sideways],
  }
  const goal = goals[key]?.()
  if (!goal) return
  event.preventDefault()
  goal.focus()
}

const findButtons = (row: HTMLElement | undefined) => [...(row?.querySelectorAll('button') ?? [])]

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

/** Moves the focus from a row that is about to disappear to the delete button of its neighbour. @returns whether the row had the focus */
export function focusNeighbourDelete(sessionId: string): boolean {
  const hasFocus = findRow(sessionId)?.contains(document.activeElement) === true
  if (hasFocus) findButtons(findNeighbour(sessionId)).at(-1)?.focus()
  return hasFocus
}
