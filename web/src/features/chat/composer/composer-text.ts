/** The text field of the composer; null where none is shown. */
export const findComposer = () => document.querySelector<HTMLTextAreaElement>('textarea[data-composer]')

/**
 * Puts a text into the composer in place of what is selected there, as if it was typed: draft and height follow. The caret stands
 * after it.
 * @param from where the text goes, to `to`; both are positions in the composer's text
 */
export function setComposerText(node: HTMLTextAreaElement, text: string, from: number, to: number): void {
  node.setRangeText(text, from, to, 'end')
  node.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}

/** The same, and goes there. */
export function insertIntoComposer(node: HTMLTextAreaElement, text: string, from: number, to: number): void {
  setComposerText(node, text, from, to)
  node.focus({ preventScroll: true })
}
