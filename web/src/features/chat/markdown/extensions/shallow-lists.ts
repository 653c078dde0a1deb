import { list } from 'micromark-core-commonmark'
import type { Code, Construct, Extension, State, TokenizeContext, Tokenizer } from 'micromark-util-types'

const isSpace = (code: Code) => code === 32
const bullets = Array.from('*+-', (bullet) => bullet.charCodeAt(0))

/** The width of the blanks that an inner list has at least; CommonMark wants three below "1. ". */
const minIndent = 2

/** Two or more blanks, fewer than the item's own, and then a bullet with a blank. */
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

interface ItemState {
  type?: string
  size?: number
  furtherBlankLines?: boolean
}

const readItemSize = ({ containerState }: TokenizeContext): number =>
  (containerState as ItemState | undefined)?.size ?? 0

const tokenizeContinuation: Tokenizer = function (effects, ok, nok) {
  const state = this.containerState as ItemState | undefined
  // it also resets the state of the item, so it is made first
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
 * Extension: bullets that are indented by two blanks belong to the numbered item above. CommonMark ends the numbered list there, and begins
 * it anew after each inner list.
 */
const listWithShallowBullets: Construct = { ...list, continuation: { tokenize: tokenizeContinuation } }

export const shallowLists: Extension = {
  document: Object.fromEntries(
    Array.from('0123456789', (digit) => [digit.charCodeAt(0), listWithShallowBullets]),
  ),
}
