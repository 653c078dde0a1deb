import type { Code, Construct, Extension, State, Tokenizer } from 'micromark-util-types'

const tick = 96
const tilde = 126
const isLineEnd = (code: Code) => code === null || code < -2
const isSpace = (code: Code) => code === -2 || code === -1 || code === 32
const toText = (code: Code) => (code === null ? '' : code < 0 ? ' ' : String.fromCodePoint(code))

/** Whether a block of code is a Markdown document, which may itself have blocks of code. */
export const isMarkdownLanguage = (language: string): boolean => /^(?:markdown|md|mdx)$/i.test(language)

/** Whether the text after a fence is a sentence and not the name of a language. */
function isSentence(text: string): boolean {
  if (/[^\p{ASCII}]/u.test(text) || (/^[A-Za-z"'(*]/.test(text) && /[.!?:]$/.test(text))) return true
  const [first = '', ...others] = text.split(' ')
  return others.length > 1 && /^[A-Z][a-z']*,?$/.test(first) && !/[={}]/.test(text)
}

/** Whether the text after a fence is only the name of a language, as in a block inside a document. */
const isLanguageName = (text: string): boolean => /^[\w+#.-]{1,30}$/.test(text)

/** Reads the fence at the beginning of a line and the text after it. @returns undefined for a line without a fence */
function readFence(line: string): { mark: string; rest: string } | undefined {
  const text = line.trimStart()
  if (line.length - text.length > 3) return undefined
  const mark = /^(?:`{3,}|~{3,})/.exec(text)?.[0]
  return mark === undefined ? undefined : { mark, rest: text.slice(mark.length).trim() }
}

/**
 * Counts the blocks inside a document that are open after some of its lines: a fence with a language opens one, a bare fence ends one, or
 * opens one where none is open.
 * @param lines without the fences of the document itself
 * @param fence the fence of the document itself
 */
export function countOpenBlocks(lines: readonly string[], fence: string): number {
  let open = 0
  for (const line of lines) {
    const { mark = '', rest = '' } = readFence(line) ?? {}
    if (mark[0] !== fence[0] || mark.length < fence.length) continue
    if (rest !== '') open += isLanguageName(rest) ? 1 : 0
    else open += open > 0 ? -1 : 1
  }
  return open
}

/** The fences without a language that open a block in a document. */
export interface InnerFences {
  /** numbers of lines, from 1 */
  lines: ReadonlySet<number>
  /** offset of a document with a fence of which only text that has not come yet tells what it is; Infinity if there is none */
  openFrom: number
}

export const noInnerFences: InnerFences = { lines: new Set(), openFrom: Infinity }

const documentOpener = /^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:markdown|md|mdx)[ \t]*$/im
/** How far the end of an inner block, and then of its document, is looked for. */
const maxInnerLines = 150
const maxDocumentLines = 400

/**
 * Finds the fences without a language that models write inside a document whose own fence is not longer. CommonMark ends the document at
 * the first. Text that follows such a fence in the next line is code, where the next fence is bare, too, and looks like an end: before a
 * blank line, a heading or another fence. The document needs a fence of its own behind them.
 */
export function findInnerFences(markdown: string): InnerFences {
  if (!documentOpener.test(markdown)) return noInnerFences
  const lines = markdown.split('\n')
  const inner = new Set<number>()
  let openFrom = Infinity
  let offset = 0
  /** the block that is open */
  let block: { mark: string; isDocument: boolean; offset: number } | undefined
  let nested = 0
  for (const [index, line] of lines.entries()) {
    const found = readFence(line)
    if (found && !block) {
      const [language = ''] = found.rest.split(/[ \t]/)
      // a fence with a backtick behind it is inline code
      if (found.mark.startsWith('~') || !found.rest.includes('`'))
        block = { mark: found.mark, isDocument: isMarkdownLanguage(language), offset }
      nested = 0
    } else if (found && block && isFenceLike(found.mark, block.mark)) {
      const { isDocument, mark } = block
      if (found.rest !== '') {
        if (found.mark.length === mark.length && isSentence(found.rest)) block = undefined
        else if (isDocument && isLanguageName(found.rest)) nested += 1
      } else if (nested > 0) nested -= 1
      else {
        const opens = isDocument && opensBlock(lines, index, mark)
        if (opens === 'unknown') openFrom = Math.min(openFrom, block.offset)
        if (opens === true) {
          inner.add(index + 1)
          nested = 1
        } else block = undefined
      }
    }
    offset += line.length + 1
  }
  return inner.size === 0 && openFrom === Infinity ? noInnerFences : { lines: inner, openFrom }
}

/** Whether a fence can end a block, or be one inside it. */
const isFenceLike = (mark: string, outer: string) => mark[0] === outer[0] && mark.length >= outer.length

/** Whether a fence without a language opens a block. @returns `unknown` if the text ends before that can be told */
function opensBlock(lines: readonly string[], index: number, outer: string): boolean | 'unknown' {
  const isLast = (at: number) => at >= lines.length - 1
  const isFence = (line: string) => isFenceLike(readFence(line)?.mark ?? '', outer)
  const next = lines[index + 1]
  if (next === undefined || (isLast(index + 1) && next.trim() === '')) return 'unknown'
  if (next.trim() === '' || isFence(next)) return false
  const findFence = (from: number, most: number) => {
    const at = lines.slice(from, from + most).findIndex(isFence)
    return at < 0 ? (from + most >= lines.length ? 'unknown' : undefined) : from + at
  }
  const end = findFence(index + 2, maxInnerLines)
  if (typeof end !== 'number') return end ?? false
  // the last line may still grow
  if (isLast(end)) return 'unknown'
  if (readFence(lines[end] ?? '')?.rest !== '') return false
  const behind = lines[end + 1] ?? ''
  if (isLast(end + 1) && behind.length < maxBehind) return 'unknown'
  if (behind.trim() !== '' && !isFence(behind) && !/^ {0,3}#{2,6}[ \t]/.test(behind)) return false
  const last = findFence(end + 1, maxDocumentLines)
  return typeof last === 'number' || (last ?? false)
}

/** Of the text that is parsed: the parser gives its extensions nothing but the text. */
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

/** Characters after which the kind of a line is known. */
const maxBehind = 12

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
    return isSpace(code) ? skip(code, infoStart) : infoStart(code)
  }
  /** Blanks, as one token. */
  const skip = (code: Code, next: State): State | undefined => {
    effects.enter('whitespace')
    const inside: State = (inner) => {
      if (isSpace(inner)) {
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
    if (isLineEnd(code) || isSpace(code)) {
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
    if (code !== marker && !isSpace(code)) return contentStart(code)
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
    return isSpace(code) ? skip(code, closeStart) : closeStart(code)
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
    return isSpace(code) ? skip(code, closeEnd) : closeEnd(code)
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
    if (left > 0 && isSpace(code)) {
      effects.enter('linePrefix')
      return dropIndent(code)
    }
    effects.enter('codeFlowValue')
    return content(code)
  }
  const dropIndent: State = (code) => {
    if (left > 0 && isSpace(code)) {
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
