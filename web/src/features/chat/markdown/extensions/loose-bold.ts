import { joiner } from '../source-marks.ts'

/** Longer lines, which are rarely prose, are left as they are: the time grows with the square of their length. */
const maxLineCharacters = 4_000
/** Escapes, backticks and runs of asterisks. */
const marks = /\\[^]|(?<ticks>`+)|(?<stars>\*+)/g
const isBlank = (character: string | undefined) => character === undefined || /\s/.test(character)
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character)
const isPunctuation = (character: string | undefined) =>
  character !== undefined && /[\p{P}\p{S}]/u.test(character)
/** The character at an offset, of one or two code units. */
const getCharacterAt = (text: string, offset: number) => {
  const code = text.codePointAt(offset)
  return code === undefined ? undefined : String.fromCodePoint(code)
}
/** The character that ends at an offset. */
const getCharacterBefore = (text: string, offset: number) =>
  Array.from(text.slice(Math.max(0, offset - 2), offset)).at(-1)
const lineStart = /^[\s>*+\-\d.)]*$/

/** Offsets of the `**` that may begin or end bold text; none if the line has a run of three or more asterisks. */
function findBoldMarks(line: string): number[] {
  const runs: number[] = []
  let codeEnd = 0
  for (const match of line.matchAll(marks)) {
    if (match.index < codeEnd) continue
    const { ticks, stars } = match.groups ?? {}
    if (ticks !== undefined) {
      const end = line.indexOf(ticks, match.index + ticks.length)
      // without an end, these backticks are text
      if (end >= 0) codeEnd = end + ticks.length
    }
    if (stars === undefined) continue
    // single ones make italics, or begin an item
    if (stars.length > 2) return []
    if (stars.length === 1) continue
    runs.push(match.index)
  }
  return runs
}

/** Offsets at which a pair of `**` needs a joiner to make bold text; undefined if the pair is none. */
function findJoints(line: string, open: number, close: number): number[] | undefined {
  const inner = line.slice(open + 2, close)
  const before = getCharacterBefore(line, open)
  const after = getCharacterAt(line, close + 2)
  if (inner.trim() === '' || isWord(before)) return undefined
  const opensLoose = isBlank(inner[0])
  const closesLoose = isBlank(inner.at(-1))
  // "2 ** 3" is a power
  if (opensLoose && !/^\s+\p{L}/u.test(inner)) return undefined
  if (opensLoose && closesLoose && !(lineStart.test(line.slice(0, open)) && isBlank(after))) return undefined
  if (opensLoose && isWord(after)) return undefined
  const joints: number[] = []
  if (opensLoose) joints.push(open + 2)
  if (closesLoose || (isPunctuation(getCharacterBefore(inner, inner.length)) && isWord(after)))
    joints.push(close)
  return joints
}

function markLine(line: string): string {
  if (line.length > maxLineCharacters) return line
  const runs = findBoldMarks(line)
  // with an odd number, CommonMark's rule is as good a guess
  if (runs.length === 0 || runs.length % 2 === 1) return line
  let marked = ''
  let copied = 0
  for (let index = 0; index + 1 < runs.length; index += 2)
    for (const joint of findJoints(line, runs[index] ?? 0, runs[index + 1] ?? 0) ?? []) {
      marked += line.slice(copied, joint) + joiner
      copied = joint
    }
  return marked + line.slice(copied)
}

/**
 * Extension: a pair of `**` on a line makes bold text also if it has a space inside (`**Note: **read`), or ends after punctuation and before a
 * letter (`**Note:**read`). CommonMark leaves these asterisks, or makes the text between two pairs bold.
 * @returns the text with joiners (`source-marks.ts`), which count as letters, where CommonMark would not accept a mark
 */
export function markLooseBold(markdown: string): string {
  if (!markdown.includes('**')) return markdown
  return markdown
    .split('\n')
    .map((line) => (line.includes('**') ? markLine(line) : line))
    .join('\n')
}
