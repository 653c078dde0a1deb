/** The text field of the composer; null where none is shown. */
export const findComposer = () => document.querySelector<HTMLTextAreaElement>('textarea[data-composer]')

/**
 * Replaces a range of the composer's text as if it was typed, so that draft and height update. The caret moves to the end of it.
 * @param from start of the range, `to` its end: offsets in the text
 */
export function setComposerText(node: HTMLTextAreaElement, text: string, from: number, to: number): void {
  node.setRangeText(text, from, to, 'end')
  node.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}

/** Like `setComposerText`, and focuses the composer. */
export function insertIntoComposer(node: HTMLTextAreaElement, text: string, from: number, to: number): void {
  setComposerText(node, text, from, to)
  node.focus({ preventScroll: true })
}
