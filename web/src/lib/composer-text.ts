/** The text field of the composer; null where none is shown. */
export const findComposer = () => document.querySelector<HTMLTextAreaElement>('textarea[data-composer]')

/**
 * Replaces a range of the composer's text as if it was typed, so that draft and height update. The caret moves to the end of the new text.
 * @param from offset of the start of the range
 * @param to offset of its end
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
