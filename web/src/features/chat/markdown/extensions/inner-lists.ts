import type { Construct, Event, Extension, TokenType } from 'micromark-util-types'

/** The tokens that end the beginning of an item or a footnote. A line on which one goes on has others. */
const beginnings = new Set<TokenType>([
  'listItemPrefix',
  'definitionMarker',
  'gfmFootnoteDefinitionWhitespace',
])

/** Whether an item, a quote or a footnote has begun on this line, and nothing else after it. */
function hasContainerBegun(events: readonly Event[]): boolean {
  let index = events.length - 1
  while (events[index]?.[1].type === 'linePrefix') index -= 1
  const [, token] = events[index] ?? []
  if (token && beginnings.has(token.type)) return true
  // the prefix of a quote that goes on has the same type
  if (token?.type !== 'blockQuotePrefix') return false
  const start = events.findLastIndex(([kind, other]) => kind === 'enter' && other === token)
  return events[start - 1]?.[1].type === 'blockQuote'
}

/** A construct that matches nothing, but lifts the restriction for those that are tried after it. */
const endInterruption: Construct = {
  tokenize(_, __, nok) {
    // the type does not allow undefined, which micromark itself sets here outside of paragraphs
    if (hasContainerBegun(this.events)) this.interrupt = undefined as never
    return nok
  },
}

/**
 * Corrects micromark. A list interrupts a paragraph only if it has text, and a numbered one only if it begins with 1 (CommonMark 5.2).
 * micromark also applies this inside an item, a quote or a footnote that has just begun and so has ended the paragraph: after a paragraph, `- 5. five` became an item with the
 * text `5. five`.
 */
export const innerLists: Extension = {
  document: Object.fromEntries(
    Array.from('*+-0123456789', (character) => [character.charCodeAt(0), endInterruption]),
  ),
}
