export interface TextRun {
  text: string
  href?: string
  isHidden?: boolean
  isStruck?: boolean
  position?: Exclude<TextMark, '~~'> | undefined
}

/** Applies a mark to a text, and leaves the white space around it outside. */
export function markCore(text: string, mark: (core: string) => string): string {
  const core = text.trim()
  if (core === '') return text
  const at = text.indexOf(core)
  return `${text.slice(0, at)}${mark(core)}${text.slice(at + core.length)}`
}

export function addLink(text: string, href: string | undefined): string {
  if (!href || text.includes(href) || href === `mailto:${text.trim()}`) return text
  return text.trim() === '' ? text : markCore(text, (core) => `${core} (${href})`)
}

interface Level {
  key: (run: TextRun) => unknown
  write: (text: string, run: TextRun) => string
}

const levels: readonly Level[] = [
  {
    key: ({ isHidden }) => isHidden === true,
    write: (text, { isHidden }) => (isHidden ? markCore(text, (core) => `[hidden: ${core}]`) : text),
  },
  { key: ({ href }) => href ?? '', write: (text, { href }) => addLink(text, href) },
  {
    key: ({ isStruck }) => isStruck === true,
    write: (text, { isStruck }) => (isStruck ? markCore(text, (core) => markText(core, '~~')) : text),
  },
  {
    key: ({ position }) => position,
    write: (text, { position }) => (position ? markCore(text, (core) => markText(core, position)) : text),
  },
]

/** Writes runs as one text: equal neighbours have their mark once. */
export function formatRuns(runs: readonly TextRun[], depth = 0): string {
  const level = levels[depth]
  if (!level) return runs.map(({ text }) => text).join('')
  let text = ''
  let from = 0
  for (let index = 1; index <= runs.length; index += 1) {
    const [first, next] = [runs[from], runs[index]]
    if (!first || (next && level.key(next) === level.key(first))) continue
    text += level.write(formatRuns(runs.slice(from, index), depth + 1), first)
    from = index
  }
  return text
}

export type TextMark = '^' | '_' | '~~'

/** Writes in plain text what is shown by its position, or by a line: 10^3 is not 103. */
export function markText(text: string, mark: TextMark): string {
  if (mark === '~~') return `~~${text}~~`
  return /^[\p{L}\p{N}]*$/u.test(text) ? `${mark}${text}` : `${mark}(${text})`
}
