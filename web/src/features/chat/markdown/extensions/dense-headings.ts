import type { Code, Construct, Extension, State } from 'micromark-util-types'
import { isHighSurrogate, isLineEnd, isSpaceOrTab } from './character-codes.ts'

const hash = 35

/** A letter outside of ASCII, of one or two codes. With ASCII letters, as in "#include" and "#todo", one `#` is no heading. */
const isNonAsciiLetter = (...codes: Code[]) =>
  codes.every((code) => code !== null && code > 127) &&
  /^\p{L}$/u.test(String.fromCharCode(...(codes as number[])))
const isAsciiLetterOrDigit = (code: Code) => code !== null && /[A-Za-z\d]/.test(String.fromCharCode(code))

/** A space and the closing `#` at the end of a heading, which are no part of its title. */
const closingSequence: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const start: State = (code) => {
      effects.exit('chunkText')
      effects.exit('atxHeadingText')
      effects.enter('whitespace')
      return before(code)
    }
    const before: State = (code) => {
      if (isSpaceOrTab(code)) {
        effects.consume(code)
        return before
      }
      if (code !== hash) return nok(code)
      effects.exit('whitespace')
      effects.enter('atxHeadingSequence')
      return sequence(code)
    }
    const sequence: State = (code) => {
      if (code === hash) {
        effects.consume(code)
        return sequence
      }
      effects.exit('atxHeadingSequence')
      if (isLineEnd(code)) return ok(code)
      effects.enter('whitespace')
      return after(code)
    }
    const after: State = (code) => {
      if (isSpaceOrTab(code)) {
        effects.consume(code)
        return after
      }
      if (!isLineEnd(code)) return nok(code)
      effects.exit('whitespace')
      return ok(code)
    }
    return start
  },
}

/**
 * Extension: a heading needs no space after its `#` if a letter outside of ASCII follows (`#标题`), or if it has two `#` or more (`##Title`).
 * CommonMark wants a space. One `#` below a line of a paragraph is no heading: posts end with a line of tags (`#话题`).
 */
const denseHeading: Construct = {
  name: 'denseHeading',
  tokenize(effects, ok, nok) {
    const { interrupt } = this
    let level = 0
    const start: State = (code) => {
      effects.enter('atxHeading')
      effects.enter('atxHeadingSequence')
      return sequence(code)
    }
    const sequence: State = (code) => {
      if (code === hash && level < 6) {
        level += 1
        effects.consume(code)
        return sequence
      }
      if (level === 1 && (interrupt === true || isAsciiLetterOrDigit(code))) return nok(code)
      effects.exit('atxHeadingSequence')
      effects.enter('atxHeadingText')
      effects.enter('chunkText', { contentType: 'text' })
      if (isHighSurrogate(code)) {
        effects.consume(code)
        return (next) => (isNonAsciiLetter(code, next) ? text(next) : nok(next))
      }
      return isNonAsciiLetter(code) || isAsciiLetterOrDigit(code) ? text(code) : nok(code)
    }
    const text: State = (code) => {
      if (isLineEnd(code)) {
        effects.exit('chunkText')
        effects.exit('atxHeadingText')
        return end(code)
      }
      // of several spaces the first, so that none is read more than twice
      if (isSpaceOrTab(code) && !isSpaceOrTab(this.previous))
        return effects.attempt(closingSequence, end, textInside)(code)
      return textInside(code)
    }
    const textInside: State = (code) => {
      // "#one #two" and "#话题#" are tags
      if (code === hash && level === 1) return nok(code)
      effects.consume(code)
      return text
    }
    const end: State = (code) => {
      effects.exit('atxHeading')
      return ok(code)
    }
    return start
  },
}

/** The extension of `denseHeading` for the parser. */
export const denseHeadings: Extension = { flow: { [hash]: denseHeading } }
