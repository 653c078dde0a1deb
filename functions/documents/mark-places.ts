import type { ExtractedText } from './extracted-text.ts'
import { maxTextCharacters } from './extracted-text.ts'
import { quoteMarks, toMark } from '../files/place-marks.ts'

interface Section {
  label: string
  title: string
  from: number
  to: number
}

/**
 * Gives each page, slide, sheet and chapter a line that says where it begins. A line of the document that looks like one is quoted.
 * @see files/place-marks.ts for the lines
 */
export function markPlaces(extracted: ExtractedText): ExtractedText {
  const { text, length, pages } = extracted
  const sections = listSections(extracted)
  const parts: string[] = []
  const ends: number[] = []
  let marked = 0
  const add = (part: string) => {
    parts.push(part)
    marked += part.length
  }
  const [first] = sections
  const before = trimLines(text.slice(0, first ? first.from : text.length))
  if (before !== '') add(quoteMarks(before))
  for (const { label, title, from, to } of sections) {
    const section = trimLines(text.slice(from, to))
    const body = title !== '' && section.startsWith(title) ? section.slice(title.length) : section
    // what follows the title in its line: whether the part is hidden
    const rest = body.startsWith(' (') ? body.slice(1) : trimLines(body)
    add(`${marked > 0 ? '\n\n' : ''}${toMark(label)}${rest === '' ? '' : `\n${quoteMarks(rest)}`}`)
    ends.push(marked)
  }
  const whole = parts.join('')
  return {
    ...extracted,
    text: whole.slice(0, maxTextCharacters),
    length: length + whole.length - text.length,
    ...(pages && { pages: { ...pages, ends } }),
  }
}

function listSections({ text, pages, places = [] }: ExtractedText): Section[] {
  if (pages)
    return pages.ends.map((to, index) => ({
      label: `page ${index + 1}`,
      title: '',
      from: pages.ends[index - 1] ?? 0,
      to,
    }))
  return places.map(({ label, title, at }, index) => ({
    label,
    title,
    from: at,
    to: places[index + 1]?.at ?? text.length,
  }))
}

/** Without the empty lines at its ends. */
function trimLines(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && text[from] === '\n') from += 1
  while (to > from && text[to - 1] === '\n') to -= 1
  return text.slice(from, to)
}
