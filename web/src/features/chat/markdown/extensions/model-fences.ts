import type {
  Code,
  Construct,
  Effects,
  Extension,
  State,
  TokenizeContext,
  Tokenizer,
} from 'micromark-util-types'
import { isLineEnd, isSpaceOrTab } from './character-codes.ts'
import { isLanguageName, isMarkdownLanguage, isSentence, readFence } from './fences.ts'
import { opensInnerBlock } from './inner-fences.ts'

const tick = 96
const tilde = 126
function toText(code: Code): string {
  if (code === null) return ''
  return code < 0 ? ' ' : String.fromCharCode(code)
}

/** Creates a construct for `effects.check`, which looks ahead: it passes the rest of the line to a function that decides. */
const createLineReader = (onLine: (line: string) => boolean): Construct => ({
  partial: true,
  tokenize(effects, ok, nok) {
    let line = ''
    const read: State = (code) => {
      if (isLineEnd(code)) {
        effects.exit('chunkString')
        return onLine(line) ? ok(code) : nok(code)
      }
      line += toText(code)
      effects.consume(code)
      return read
    }
    return (code) => {
      effects.enter('chunkString')
      return read(code)
    }
  },
})

/** Matches a line end inside a block, unless the quote or item around the block has ended. */
const nonLazyLineEnd: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return (code) => {
      if (code === null) return nok(code)
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return (next) => (this.parser.lazy[this.now().line] ? nok(next) : ok(next))
    }
  },
}

/** Reads blanks as one token, if there are any. @param most how many of them */
function skipBlanks(
  effects: Effects,
  next: State,
  { type, most = Infinity }: { type: 'whitespace' | 'linePrefix'; most?: number },
): State {
  let left = most
  const inside: State = (code) => {
    if (left > 0 && isSpaceOrTab(code)) {
      left -= 1
      effects.consume(code)
      return inside
    }
    effects.exit(type)
    return next(code)
  }
  return (code) => {
    if (left === 0 || !isSpaceOrTab(code)) return next(code)
    effects.enter(type)
    return inside(code)
  }
}

const skipWhitespace = (effects: Effects, next: State) => skipBlanks(effects, next, { type: 'whitespace' })

/** The fence that begins a block. */
interface Opening {
  marker: Code
  size: number
  /** the first word after it */
  info: string
  /** its line, from 1 */
  line: number
}

/** Reads the fence that begins a block, and the text after it, in which backticks after a fence of backticks are none of it. */
function readOpening(
  effects: Effects,
  { line, onOpened, nok }: { line: number; onOpened: (opening: Opening) => State; nok: State },
): State {
  const opening: Opening = { marker: null, size: 0, info: '', line }
  const start: State = (code) => {
    opening.marker = code
    effects.enter('codeFencedFence')
    effects.enter('codeFencedFenceSequence')
    return sequence(code)
  }
  const sequence: State = (code) => {
    if (code === opening.marker) {
      opening.size += 1
      effects.consume(code)
      return sequence
    }
    if (opening.size < 3) return nok(code)
    effects.exit('codeFencedFenceSequence')
    return skipWhitespace(effects, readText('codeFencedFenceInfo'))(code)
  }
  /** Reads the first word, or as `codeFencedFenceMeta` the rest of the line. */
  const readText = (type: 'codeFencedFenceInfo' | 'codeFencedFenceMeta'): State => {
    const isInfo = type === 'codeFencedFenceInfo'
    const inside: State = (code) => {
      if (isLineEnd(code) || (isInfo && isSpaceOrTab(code))) {
        effects.exit('chunkString')
        effects.exit(type)
        return isInfo ? skipWhitespace(effects, readText('codeFencedFenceMeta'))(code) : end(code)
      }
      if (code === tick && opening.marker === tick) return nok(code)
      if (isInfo) opening.info += toText(code)
      effects.consume(code)
      return inside
    }
    return (code) => {
      if (isLineEnd(code)) return end(code)
      effects.enter(type)
      effects.enter('chunkString', { contentType: 'string' })
      return inside(code)
    }
  }
  const end: State = (code) => {
    effects.exit('codeFencedFence')
    return onOpened(opening)(code)
  }
  return start
}

/** Reads a line of code without the indent that its opening fence has. */
function readCodeLine(effects: Effects, indent: number, onLineEnd: State): State {
  const start: State = (code) => {
    if (isLineEnd(code)) return onLineEnd(code)
    effects.enter('codeFlowValue')
    return inside(code)
  }
  const inside: State = (code) => {
    if (isLineEnd(code)) {
      effects.exit('codeFlowValue')
      return onLineEnd(code)
    }
    effects.consume(code)
    return inside
  }
  return skipBlanks(effects, start, { type: 'linePrefix', most: indent })
}

/** Reads the fence that ends a block. The text after it, if there is any, is a paragraph. */
function readClosing(effects: Effects, { marker }: Opening, ok: State): State {
  const start: State = (code) => {
    effects.enter('codeFencedFence')
    return skipWhitespace(effects, sequenceStart)(code)
  }
  const sequenceStart: State = (code) => {
    effects.enter('codeFencedFenceSequence')
    return sequence(code)
  }
  const sequence: State = (code) => {
    if (code === marker) {
      effects.consume(code)
      return sequence
    }
    effects.exit('codeFencedFenceSequence')
    return skipWhitespace(effects, end)(code)
  }
  const end: State = (code) => {
    effects.exit('codeFencedFence')
    effects.exit('codeFenced')
    if (isLineEnd(code)) return ok(code)
    effects.enter('content')
    effects.enter('chunkContent', { contentType: 'content' })
    return text(code)
  }
  const text: State = (code) => {
    if (isLineEnd(code)) {
      effects.exit('chunkContent')
      effects.exit('content')
      return ok(code)
    }
    effects.consume(code)
    return text
  }
  return start
}

/** Creates a function for the lines of a block: it counts the blocks inside a document, and returns whether a line ends the block. */
function createClosingTest(context: TokenizeContext, { marker, size, info, line: document }: Opening) {
  const isDocument = isMarkdownLanguage(info)
  let nested = 0
  return (line: string): boolean => {
    const { mark = '', rest = '' } = readFence(line) ?? {}
    if (mark.length < size || mark.codePointAt(0) !== marker) return false
    if (rest !== '') {
      if (mark.length === size && isSentence(rest)) return true
      if (isDocument && isLanguageName(rest)) nested += 1
      return false
    }
    if (nested > 0) {
      nested -= 1
      return false
    }
    const opensInner = isDocument && opensInnerBlock({ document, fence: context.now().line })
    if (opensInner) nested += 1
    return !opensInner
  }
}

/** The tokenizer of fenced code: micromark's own (`codeFenced` in micromark-core-commonmark) with another rule for closing fences. */
const tokenizeFences: Tokenizer = function (effects, ok, nok) {
  const [kind, prefix] = this.events.at(-1) ?? []
  const indent =
    kind === 'exit' && prefix?.type === 'linePrefix' ? this.sliceSerialize(prefix, true).length : 0

  /** Reads the lines of a block, from the line end of its opening fence. */
  const readLines = (opening: Opening): State => {
    const closingLine = createLineReader(createClosingTest(this, opening))
    const lineEnd: State = (code) => effects.check(nonLazyLineEnd, nextLine, end)(code)
    const nextLine: State = (code) => {
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return lineStart
    }
    const lineStart: State = (code) => {
      const codeLine = readCodeLine(effects, indent, lineEnd)
      return code === opening.marker || isSpaceOrTab(code)
        ? effects.check(closingLine, readClosing(effects, opening, ok), codeLine)(code)
        : codeLine(code)
    }
    const end: State = (code) => {
      effects.exit('codeFenced')
      return ok(code)
    }
    return lineEnd
  }

  return (code) => {
    effects.enter('codeFenced')
    const onOpened = (opening: Opening) => (this.interrupt === true ? ok : readLines(opening))
    return readOpening(effects, { line: this.now().line, onOpened, nok })(code)
  }
}

/**
 * Extension: a closing fence may have a sentence after it (CommonMark reads it, and all that follows, as code). A Markdown document may have
 * blocks with fences as long as its own (CommonMark ends the document at the first of them).
 */
const fencedCode: Construct = { name: 'codeFenced', concrete: true, tokenize: tokenizeFences }

/** The extension of `fencedCode` for the parser. */
export const modelFences: Extension = { flow: { [tick]: fencedCode, [tilde]: fencedCode } }
