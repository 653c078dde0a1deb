// What the lines with fences of code mean, as models write them. `model-fences.ts` and `inner-fences.ts` decide by it.

/** Whether a block of code is a Markdown document, which may itself have blocks of code. */
export const isMarkdownLanguage = (language: string): boolean => /^(?:markdown|md|mdx)$/i.test(language)

/** Whether the text after a fence is a sentence and not the name of a language. */
export function isSentence(text: string): boolean {
  if (/[^\p{ASCII}]/u.test(text) || (/^[A-Za-z"'(*]/.test(text) && /[.!?:]$/.test(text))) return true
  const [first = '', ...others] = text.split(' ')
  return others.length > 1 && /^[A-Z][a-z']*,?$/.test(first) && !/[={}]/.test(text)
}

/** Whether the text after a fence is only the name of a language, as in a block inside a document. */
export const isLanguageName = (text: string): boolean => /^[\w+#.-]{1,30}$/.test(text)

/** A line with a fence. */
export interface Fence {
  /** its backticks or tildes */
  mark: string
  /** the text after it, without blanks around it; empty for a bare fence */
  rest: string
}

/** Reads the fence at the beginning of a line and the text after it. @returns undefined for a line without a fence */
export function readFence(line: string): Fence | undefined {
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
