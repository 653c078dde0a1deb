import { readRangeAsHtml, readRangeAsMarkdown, readRangeAsText } from '../markdown/serialize-dom.ts'
import { findComposer, insertIntoComposer, markdownType } from '../../../lib/input/composer-text.ts'

/**
 * Finds the text that is selected within one message.
 * @param rows the element whose children are the messages
 * @returns undefined if nothing is selected, or the selection is not within one message
 */
export function findSelectedText(rows: HTMLElement): { text: string; range: Range } | undefined {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const message = [...rows.children].find((child) => child.contains(range.startContainer))
  if (!message || hasTextAfter(message, range)) return undefined
  const text = readRangeAsText(range).trim()
  return text !== '' ? { text, range } : undefined
}

/** Whether a range that begins in an element has text after it. A triple click selects up to the start of the next text, but none of it. */
function hasTextAfter(element: Element, range: Range): boolean {
  if (element.contains(range.endContainer)) return false
  const rest = range.cloneRange()
  rest.setStartAfter(element)
  return readRangeAsText(rest).trim() !== ''
}

/**
 * Handles a copy of selected messages: formulas become TeX, the HTML has the structure of the text without this page's styles, and a message
 * that is being written gets Markdown. A selection
 * in a field, or one that reaches beyond the messages, is left to the browser.
 */
export function copySelection(event: ClipboardEvent, rows: HTMLElement): void {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0 || !event.clipboardData) return
  const range = selection.getRangeAt(0)
  const isInField = event.target instanceof Element && event.target.closest('input, textarea') !== null
  if (isInField || !rows.contains(range.commonAncestorContainer)) return
  const text = readRangeAsText(range)
  if (text === '') return
  event.clipboardData.setData('text/plain', text)
  event.clipboardData.setData('text/html', readRangeAsHtml(range))
  // only this page reads it
  event.clipboardData.setData(markdownType, readRangeAsMarkdown(range))
  event.preventDefault()
}

/** Finds the rectangle of the last line of selected text, in window coordinates. Text that cannot be selected, as of buttons, is ignored. */
export function findLastRect(range: Range): DOMRect | undefined {
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

/** Formats a text as a Markdown quote, followed by the empty line that ends it. */
const formatQuote = (text: string): string =>
  `${text
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n\n`

/** Inserts a quote at the caret of the composer, as a separate paragraph, and focuses it. */
export function quoteInComposer(text: string): void {
  const node = findComposer()
  if (!node) return
  const { selectionStart: from, selectionEnd: to, value } = node
  const before = value.slice(0, from)
  const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  getSelection()?.removeAllRanges()
  insertIntoComposer(node, gap + formatQuote(text), from, to)
  requestAnimationFrame(() => {
    // the end of a long quote is below the visible part
    if (node.selectionEnd === node.value.length) node.scrollTop = node.scrollHeight
  })
}
