import type { Code, Construct, Extension, State, Tokenizer } from 'micromark-util-types'
import { isLineEnd, isSpaceOrTab } from './character-codes.ts'
import { isLanguageName, isMarkdownLanguage, isSentence, readFence } from './fences.ts'
import { noInnerFences, type InnerFences } from './inner-fences.ts'

const tick = 96
const tilde = 126
function toText(code: Code): string {
  if (code === null) return ''
  return code < 0 ? ' ' : String.fromCharCode(code)
}

/** The inner fences of the text that is parsed: the parser gives its extensions nothing but the text. */
let innerLines = noInnerFences.lines

/** Parses a text whose inner fences are known. */
export function withInnerFences<Result>({ lines }: InnerFences, parse: () => Result): Result {
  innerLines = lines
  try {
    return parse()
  } finally {
    innerLines = noInnerFences.lines
  }
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

/**
 * The tokenizer of fenced code. It follows micromark's own (`codeFenced` in micromark-core-commonmark), also in being one function whose
 * states share variables, but has another rule for closing fences (`readLine`).
 */
const tokenizeFences: Tokenizer = function (effects, ok, nok) {
  const [kind, prefix] = this.events.at(-1) ?? []
  const indent =
    kind === 'exit' && prefix?.type === 'linePrefix' ? this.sliceSerialize(prefix, true).length : 0
  let marker: Code = null
  let size = 0
  let info = ''
  let nested = 0

  const start: State = (code) => {
    marker = code
    effects.enter('codeFenced')
    effects.enter('codeFencedFence')
    effects.enter('codeFencedFenceSequence')
    return openSequence(code)
  }
  const openSequence: State = (code) => {
    if (code === marker) {
      size += 1
      effects.consume(code)
      return openSequence
    }
    if (size < 3) return nok(code)
    effects.exit('codeFencedFenceSequence')
    return isSpaceOrTab(code) ? skip(code, infoStart) : infoStart(code)
  }
  /** Blanks, as one token. */
  const skip = (code: Code, next: State): State | undefined => {
    effects.enter('whitespace')
    const inside: State = (inner) => {
      if (isSpaceOrTab(inner)) {
        effects.consume(inner)
        return inside
      }
      effects.exit('whitespace')
      return next(inner)
    }
    return inside(code)
  }
  const infoStart: State = (code) => {
    if (isLineEnd(code)) return openEnd(code)
    effects.enter('codeFencedFenceInfo')
    effects.enter('chunkString', { contentType: 'string' })
    return infoInside(code)
  }
  const infoInside: State = (code) => {
    if (isLineEnd(code) || isSpaceOrTab(code)) {
      effects.exit('chunkString')
      effects.exit('codeFencedFenceInfo')
      return isLineEnd(code) ? openEnd(code) : skip(code, metaStart)
    }
    if (code === tick && marker === tick) return nok(code)
    info += toText(code)
    effects.consume(code)
    return infoInside
  }
  const metaStart: State = (code) => {
    if (isLineEnd(code)) return openEnd(code)
    effects.enter('codeFencedFenceMeta')
    effects.enter('chunkString', { contentType: 'string' })
    return metaInside(code)
  }
  const metaInside: State = (code) => {
    if (isLineEnd(code)) {
      effects.exit('chunkString')
      effects.exit('codeFencedFenceMeta')
      return openEnd(code)
    }
    if (code === tick && marker === tick) return nok(code)
    effects.consume(code)
    return metaInside
  }
  const openEnd: State = (code) => {
    effects.exit('codeFencedFence')
    if (this.interrupt === true) return ok(code)
    return lineEnd(code)
  }
  /** At the end of a line of the block. */
  const lineEnd: State = (code) => {
    if (code === null) return end(code)
    return effects.check(
      nonLazyLineEnd,
      (inner) => {
        effects.enter('lineEnding')
        effects.consume(inner)
        effects.exit('lineEnding')
        return lineStart
      },
      end,
    )(code)
  }
  const end: State = (code) => {
    effects.exit('codeFenced')
    return ok(code)
  }
  let closing: 'bare' | 'sentence' | undefined
  const lineStart: State = (code) => {
    closing = undefined
    if (code !== marker && !isSpaceOrTab(code)) return contentStart(code)
    return effects.check(createLineReader(readLine), onFence, contentStart)(code)
  }
  /** @returns whether the line ends the block */
  const readLine = (line: string): boolean => {
    const { mark = '', rest: text = '' } = readFence(line) ?? {}
    if (mark.length < size || mark.codePointAt(0) !== marker) return false
    if (text === '') {
      if (nested > 0) nested -= 1
      else if (isMarkdownLanguage(info) && innerLines.has(this.now().line)) nested += 1
      else closing = 'bare'
    } else if (mark.length === size && isSentence(text)) {
      closing = 'sentence'
    } else if (isMarkdownLanguage(info) && isLanguageName(text)) nested += 1
    return closing !== undefined
  }
  const onFence: State = (code) => {
    effects.enter('codeFencedFence')
    return isSpaceOrTab(code) ? skip(code, closeStart) : closeStart(code)
  }
  const closeStart: State = (code) => {
    effects.enter('codeFencedFenceSequence')
    return closeSequence(code)
  }
  const closeSequence: State = (code) => {
    if (code === marker) {
      effects.consume(code)
      return closeSequence
    }
    effects.exit('codeFencedFenceSequence')
    return isSpaceOrTab(code) ? skip(code, closeEnd) : closeEnd(code)
  }
  const closeEnd: State = (code) => {
    effects.exit('codeFencedFence')
    effects.exit('codeFenced')
    if (isLineEnd(code)) return ok(code)
    effects.enter('content')
    effects.enter('chunkContent', { contentType: 'content' })
    return sentence(code)
  }
  const sentence: State = (code) => {
    if (isLineEnd(code)) {
      effects.exit('chunkContent')
      effects.exit('content')
      return ok(code)
    }
    effects.consume(code)
    return sentence
  }
  let left = 0
  const contentStart: State = (code) => {
    left = indent
    if (isLineEnd(code)) return lineEnd(code)
    if (left > 0 && isSpaceOrTab(code)) {
      effects.enter('linePrefix')
      return dropIndent(code)
    }
    effects.enter('codeFlowValue')
    return content(code)
  }
  const dropIndent: State = (code) => {
    if (left > 0 && isSpaceOrTab(code)) {
      left -= 1
      effects.consume(code)
      return dropIndent
    }
    effects.exit('linePrefix')
    if (isLineEnd(code)) return lineEnd(code)
    effects.enter('codeFlowValue')
    return content(code)
  }
  const content: State = (code) => {
    if (isLineEnd(code)) {
      effects.exit('codeFlowValue')
      return lineEnd(code)
    }
    effects.consume(code)
    return content
  }
  return start
}

/**
 * Extension: a closing fence may have a sentence after it (CommonMark reads it, and all that follows, as code). A Markdown document may have
 * blocks with fences as long as its own (CommonMark ends the document at the first of them).
 */
const fencedCode: Construct = { name: 'codeFenced', concrete: true, tokenize: tokenizeFences }

/** The extension of `fencedCode` for the parser. */
export const modelFences: Extension = { flow: { [tick]: fencedCode, [tilde]: fencedCode } }
