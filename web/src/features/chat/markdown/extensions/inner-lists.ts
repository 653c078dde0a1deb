import type { Construct, Event, Extension } from 'micromark-util-types'

/** Whether an item or a quotation has begun on this line, and nothing else since. */
function hasContainerBegun(events: readonly Event[]): boolean {
  let at = events.length - 1
  while (events[at]?.[1].type === 'linePrefix') at -= 1
  const [, token] = events[at] ?? []
  if (token?.type === 'listItemPrefix') return true
  // the prefix of a quotation that goes on has the same type
  if (token?.type !== 'blockQuotePrefix') return false
  const start = events.findLastIndex(([kind, other]) => kind === 'enter' && other === token)
  return events[start - 1]?.[1].type === 'blockQuote'
}

/** Matches nothing: what follows it is tried without the restriction. */
const endInterruption: Construct = {
  tokenize(_, __, nok) {
    if (hasContainerBegun(this.events)) this.interrupt = undefined as never
    return nok
  },
}

/**
 * Corrects micromark. A list interrupts a paragraph only if it begins with 1 and has text (CommonMark 5.2). micromark applies this also
 * inside an item or a quotation that has just begun, where the paragraph has already ended: below a paragraph, `- 5. five` became an item
 * with the text `5. five`.
 */
export const innerLists: Extension = {
  document: Object.fromEntries(
    Array.from('*+-0123456789', (character) => [character.charCodeAt(0), endInterruption]),
  ),
}
