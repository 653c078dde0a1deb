import { isInternal } from '#shared/message-content.ts'
import { untitled } from '#shared/untitled.ts'
import { trimCharacters } from '#shared/trim-characters.ts'
import { truncate } from '#shared/truncate.ts'

/** Longer messages are cut to `cutWords` words, unless they have few words. */
const maxUncutCharacters = 50
const maxUncutWords = 8
const cutWords = 6
/** words may be endless; a title is not */
const maxCharacters = 300

interface Opening {
  /** the word that the title starts at, followed by one of `next` */
  readonly first: string
  readonly next: readonly string[]
  /** more words than this must follow `first` */
  readonly follow: number
  /** so many words are the title, `first` included */
  readonly take: number
}

/** Questions are named from their question word on. */
const openings: readonly Opening[] = [
  { first: 'how', next: ['to', 'do'], follow: 3, take: 6 },
  { first: 'what', next: ['is', 'are'], follow: 4, take: 5 },
]

/** Whether a word of a message is one of these, apart from its letter case and the punctuation around it. */
function isOneOf(wanted: readonly string[], word: string): boolean {
  const lower = word.toLowerCase()
  if (!wanted.some((one) => lower.includes(one))) return false
  return wanted.includes(trimCharacters(lower, (character) => !/[\p{L}\p{N}]/u.test(character)))
}

/** @returns the words from the opening on, or undefined when it is not there or too few words follow */
function fromOpening(words: readonly string[], { first, next, follow, take }: Opening): string | undefined {
  const start = words.findIndex(
    (word, index) => isOneOf([first], word) && isOneOf(next, words[index + 1] ?? ''),
  )
  if (start < 0 || words.length - start - 1 <= follow) return undefined
  return `${words.slice(start, start + take).join(' ')}...`
}

const marks: readonly (readonly [RegExp, string])[] = [
  // links by their text
  [/!?\[([^[\]\n]{1,300})\]\([^()\s]{0,2000}\)/g, '$1'],
  // headings, quotations and items
  [/^[ \t]{0,20}(?:#{1,6}[ \t]+|>[ \t>]{0,20}|[-*+][ \t]+)/gm, ''],
  [/`+|~~/g, ''],
  // emphasis, but no sign between blanks or letters
  [/(?<![\p{L}\p{N}*])\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}(?![\p{L}\p{N}*])/gu, ''],
]

const fence = /^[ \t]{0,3}(```|~~~)/

/** The lines outside of blocks of code, and those inside without their fences; the last block may be open. */
function splitAtFences(text: string): { prose: string; code: string } {
  const prose: string[] = []
  const code: string[] = []
  let open: string | undefined
  for (const line of text.split('\n')) {
    const [, mark] = fence.exec(line) ?? []
    if (mark === undefined || (open !== undefined && mark !== open))
      (open === undefined ? prose : code).push(line)
    else open = open === undefined ? mark : undefined
  }
  return { prose: prose.join('\n'), code: code.join('\n') }
}

/** The text without the marks of Markdown: links are their text. */
export const removeMarks = (text: string): string =>
  marks.reduce((result, [pattern, by]) => result.replaceAll(pattern, by), text)

/** The text without blocks of code, unless there is nothing else. */
function chooseProse(text: string): string {
  const { prose, code } = splitAtFences(text)
  return prose.trim() === '' ? code : prose
}

/** A longer text is titled by its beginning. */
const maxReadCharacters = 20_000

/**
 * Title of a conversation from its first user message, without asking a model.
 * @param message as typed; internal gives 'New Chat'
 * @param fileNames of its files: they are the title of a message without text
 * @returns a message of up to 50 characters whole, else cut by words, with '...' at the end
 * Matches whole words, letter case ignored
 */
export function sessionTitle(message: string, fileNames: readonly string[] = []): string {
  if (isInternal(message)) return untitled
  const words = removeMarks(chooseProse(message.slice(0, maxReadCharacters)))
    .trim()
    .split(/\s+/)
    .filter(Boolean)
  const text = words.join(' ')
  if (text === '') return titleFromFiles(fileNames)
  if (text.length <= maxUncutCharacters) return text
  for (const opening of openings) {
    const title = fromOpening(words, opening)
    if (title) return title
  }
  if (words.length <= maxUncutWords)
    return text.length <= maxCharacters ? text : `${truncate(text, maxCharacters)}...`
  return `${words.slice(0, cutWords).join(' ')}...`
}

/** The names of files, as many as fit; one at least. */
function titleFromFiles(names: readonly string[]): string {
  const all = names.map((name) => name.trim()).filter((name) => name !== '')
  const [first] = all
  if (first === undefined) return untitled
  let title = truncate(first, maxCharacters)
  for (const name of all.slice(1)) {
    if (title.length + name.length > maxUncutCharacters) return `${title}...`
    title += `, ${name}`
  }
  return title
}
