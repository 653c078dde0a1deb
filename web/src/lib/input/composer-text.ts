import type { ClipboardEvent } from 'react'
import { createStore } from '../browser/create-store.ts'

/** A note that stands below the composer in place of its hints; empty for none. A store, because the code that sets it loads after the composer. */
export const composerNote = createStore('')

/** The text field of the composer; null where none is shown. */
export const findComposer = () => document.querySelector<HTMLTextAreaElement>('textarea[data-composer]')

/** A text with more is inserted at once, without a way to undo it: the browser types each line by itself, which takes seconds. */
const [maxUndoableCharacters, maxUndoableLines] = [20_000, 40]

const isUndoable = (text: string) =>
  text.length <= maxUndoableCharacters && text.split('\n', maxUndoableLines + 1).length <= maxUndoableLines

/**
 * Replaces a range of the composer's text as if it was typed, so that draft and height update, and so that Ctrl + Z takes it back where the
 * field has the focus. The caret moves to the end of the new text.
 * @param from offset of the start of the range
 * @param to offset of its end
 */
export function setComposerText(node: HTMLTextAreaElement, text: string, from: number, to: number): void {
  if (document.activeElement === node && isUndoable(text)) {
    node.setSelectionRange(from, to)
    // deprecated, and the only way into the history of the browser: after any other change nothing before it can be undone either
    if (document.execCommand?.('insertText', false, text)) return
  }
  node.setRangeText(text, from, to, 'end')
  node.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}

/** How a selection of messages is copied for a field that takes Markdown. */
export const markdownType = 'text/markdown'

/** Pastes a selection of messages as Markdown, in place of what is selected. Everything else is left to the browser. */
export function pasteMarkdown(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const markdown = event.clipboardData.getData(markdownType)
  if (markdown === '' || event.clipboardData.files.length > 0) return
  event.preventDefault()
  const node = event.currentTarget
  setComposerText(node, markdown, node.selectionStart, node.selectionEnd)
}

/** Like `setComposerText`, and focuses the composer. */
export function insertIntoComposer(node: HTMLTextAreaElement, text: string, from: number, to: number): void {
  node.focus({ preventScroll: true })
  setComposerText(node, text, from, to)
}
