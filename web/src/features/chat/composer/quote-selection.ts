import { findComposer, insertIntoComposer } from './composer-text.ts'

/**
 * The text that is selected within one message.
 * @param rows the element whose children are the messages
 * @returns undefined when nothing is selected, or not within one of them
 */
export function findSelectedText(rows: HTMLElement): { text: string; range: Range } | undefined {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const turn = [...rows.children].find((child) => child.contains(range.startContainer))
  // three clicks select to the very beginning of what follows
  const endsInside = turn?.contains(range.endContainer) || range.endOffset === 0
  const text = selection.toString().trim()
  return turn && endsInside && text !== '' ? { text, range } : undefined
}

/** Where the last line of selected text stands; what cannot be selected, as a message's buttons, does not count. */
export function lastRect(range: Range): DOMRect | undefined {
  const walker = document.createTreeWalker(range.commonAncestorContainer, NodeFilter.SHOW_TEXT)
  let last: DOMRect | undefined
  for (let node: Node | null = walker.currentNode; node; node = walker.nextNode()) {
    if (!(node instanceof Text) || !range.intersectsNode(node) || !isSelectable(node)) continue
    const part = document.createRange()
    part.selectNodeContents(node)
    if (node === range.startContainer) part.setStart(node, range.startOffset)
    if (node === range.endContainer) part.setEnd(node, range.endOffset)
    last = [...part.getClientRects()].findLast(({ width }) => width > 0) ?? last
  }
  return last
}

const isSelectable = ({ parentElement }: Text) =>
  parentElement !== null && getComputedStyle(parentElement).userSelect !== 'none'

/** A text as a Markdown quotation, and the empty line that ends it. */
export const quotation = (text: string): string =>
  `${text
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n\n`

/** Puts a quotation into the composer where the caret is, as a paragraph of its own, and goes there. */
export function quoteInComposer(text: string): void {
  const node = findComposer()
  if (!node) return
  const { selectionStart: from, selectionEnd: to, value } = node
  const before = value.slice(0, from)
  const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  getSelection()?.removeAllRanges()
  insertIntoComposer(node, gap + quotation(text), from, to)
  requestAnimationFrame(() => {
    // a long quotation ends below what the composer shows
    if (node.selectionEnd === node.value.length) node.scrollTop = node.scrollHeight
  })
}
