import type { Code, Construct, Extension, State } from 'micromark-util-types'
import { isLineEnd } from './character-codes.ts'

const hash = 35

/** A letter outside of ASCII. With ASCII letters, as in "#include" and "#todo", one `#` is no heading. */
const isForeignLetter = (code: Code) =>
  code !== null && code > 127 && /\p{L}/u.test(String.fromCodePoint(code))
const isAsciiLetterOrDigit = (code: Code) => code !== null && /[A-Za-z\d]/.test(String.fromCharCode(code))

/**
 * Extension: a heading needs no space after its `#` if a letter outside of ASCII follows (`#标题`), or if it has two `#` or more (`##Title`).
 * CommonMark wants a space.
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
      const isTag = level === 1 && (interrupt === true || !isForeignLetter(code))
      if (isTag || !(isForeignLetter(code) || isAsciiLetterOrDigit(code))) return nok(code)
      effects.exit('atxHeadingSequence')
      effects.enter('atxHeadingText')
      effects.enter('chunkText', { contentType: 'text' })
      return text(code)
    }
    const text: State = (code) => {
      if (isLineEnd(code)) {
        effects.exit('chunkText')
        effects.exit('atxHeadingText')
        effects.exit('atxHeading')
        return ok(code)
      }
      // "#one #two" and "#话题#" are tags
      if (code === hash && level === 1) return nok(code)
      effects.consume(code)
      return text
    }
    return start
  },
}

/** The extension of `denseHeading` for the parser. */
export const denseHeadings: Extension = { flow: { [hash]: denseHeading } }
