import { list } from 'micromark-core-commonmark'
import type { Code, Construct, Extension, State, TokenizeContext, Tokenizer } from 'micromark-util-types'

const isSpace = (code: Code) => code === 32
const bullets = Array.from('*+-', (bullet) => bullet.charCodeAt(0))

/** The least indent of an inner list, in spaces. CommonMark wants three below "1. ". */
const minIndent = 2

/** Matches two or more spaces, but fewer than CommonMark wants, then a bullet and a space. */
const tokenizeShallowBullet: Tokenizer = function (effects, ok, nok) {
  const size = readItemSize(this)
  let width = 0
  const indent: State = (code) => {
    if (isSpace(code) && width < size) {
      width += 1
      effects.consume(code)
      return indent
    }
    effects.exit('linePrefix')
    if (width < minIndent || width >= size || code === null || !bullets.includes(code)) return nok(code)
    effects.enter('listItemMarker')
    effects.consume(code)
    effects.exit('listItemMarker')
    return afterBullet
  }
  const afterBullet: State = (code) => (isSpace(code) ? ok(code) : nok(code))
  return (code) => {
    if (!isSpace(code)) return nok(code)
    effects.enter('linePrefix')
    return indent(code)
  }
}

/** Consumes the indent of such an inner list. */
const tokenizeShallowIndent: Tokenizer = function (effects, ok) {
  let width = 0
  const indent: State = (code) => {
    if (isSpace(code) && width < minIndent) {
      width += 1
      effects.consume(code)
      return indent
    }
    effects.exit('listItemIndent')
    return ok(code)
  }
  return (code) => {
    effects.enter('listItemIndent')
    return indent(code)
  }
}

/** What micromark keeps of an item while it parses it. */
interface ItemState {
  type?: string
  size?: number
  furtherBlankLines?: boolean
}

const readItemSize = ({ containerState }: TokenizeContext): number =>
  (containerState as ItemState | undefined)?.size ?? 0

const tokenizeContinuation: Tokenizer = function (effects, ok, nok) {
  const state = this.containerState as ItemState | undefined
  // called first, because it also resets the state of the item
  const standard = list.continuation?.tokenize.call(this, effects, ok, nok) ?? nok
  if (state?.type !== 'listOrdered' || state.furtherBlankLines === true || readItemSize(this) <= minIndent)
    return standard
  return effects.check(
    { tokenize: tokenizeShallowBullet, partial: true },
    (code) => {
      // from here on, the item's content begins where its inner list does
      state.size = minIndent
      Object.assign(state, { furtherBlankLines: undefined, initialBlankLine: undefined })
      return effects.attempt({ tokenize: tokenizeShallowIndent, partial: true }, ok, nok)(code)
    },
    standard,
  )
}

/**
 * Extension: bullets that are indented by two spaces belong to the numbered item above. CommonMark ends the numbered list there, and begins
 * another one after each inner list.
 */
const listWithShallowBullets: Construct = { ...list, continuation: { tokenize: tokenizeContinuation } }

/** The extension of `listWithShallowBullets` for the parser. */
export const shallowLists: Extension = {
  document: Object.fromEntries(
    Array.from('0123456789', (digit) => [digit.charCodeAt(0), listWithShallowBullets]),
  ),
}
