/** A document of `files/make_files.py`. Facts are texts, or regular expressions between slashes. */
export interface Expectation {
  file: string
  /** what it tries */
  what: string
  /** the media type that a browser sends */
  type: string
  must: string[]
  mustNot: string[]
  /** what the note has to match if a fact is missing; without it no note says enough */
  said: string | null
  /** of a format that is not read: what the refusal has to match */
  refusal: string | null
  /** what the document needs and this computer does not have */
  missing?: string
}

/** What a reader gave of a document. */
export interface Answer {
  /** undefined if it was refused */
  text: string | undefined
  /** what it says of its text, or why it refuses */
  note: string
}

export const verdicts = ['right', 'lost and said', 'lost', 'wrong', 'refused'] as const
export type Verdict = (typeof verdicts)[number]

export interface Judgement {
  verdict: Verdict
  /** the user and the model know what they do not have */
  isSaid: boolean
  /** facts that are not there, and what should not be there */
  faults: string[]
}

/** @param fact a text, or a regular expression between slashes */
function contains(text: string, fact: string): boolean {
  const [, source, flags] = /^\/([^]+)\/([a-z]*)$/.exec(fact) ?? []
  return source === undefined ? text.includes(fact) : new RegExp(source, flags).test(text)
}

/** Judges one answer by the expectations of its document. */
export function judgeAnswer(expected: Expectation, { text, note }: Answer): Judgement {
  const says = (pattern: string | null) => pattern !== null && new RegExp(pattern, 'i').test(note)
  if (text === undefined) return { verdict: 'refused', isSaid: says(expected.refusal), faults: [note] }
  const missing = expected.must.filter((fact) => !contains(text, fact))
  const wrong = expected.mustNot.filter((fact) => contains(text, fact))
  const faults = [...missing.map((fact) => `without ${fact}`), ...wrong.map((fact) => `with ${fact}`)]
  if (wrong.length > 0) return { verdict: 'wrong', isSaid: false, faults }
  if (missing.length === 0) return { verdict: 'right', isSaid: false, faults }
  const isSaid = says(expected.said) && !note.includes('read in full')
  return { verdict: isSaid ? 'lost and said' : 'lost', isSaid, faults }
}

/** A loss that is said is no reproach; saying something false is worse than saying nothing. */
function rate({ verdict, isSaid }: Judgement): number {
  if (verdict === 'right') return 3
  if (isSaid) return 2
  return verdict === 'wrong' ? 0 : 1
}

/** Whether a reader is worse than another one without saying so. */
export const isWorse = (one: Judgement, other: Judgement): boolean => rate(one) < 2 && rate(one) < rate(other)

/** Writes Markdown's tables as rows with tabs, an empty cell of pandas as an empty one, and takes escapes and bold marks away. */
export const fromMarkdown = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      /^\|.*\|$/.test(line)
        ? line
            .slice(1, -1)
            .split(/(?<!\\)\|/)
            .map((cell) => cell.trim().replace(/^NaN$/, ''))
            .join('\t')
        : line,
    )
    .join('\n')
    .replaceAll(/\*\*|\\(?=[_*~|.#>[\]()+-])/g, '')

const formatOf = (file: string) => file.slice(file.lastIndexOf('.'))

/** The verdicts of each format as a table in Markdown, one column a reader: right, lost and said, lost, wrong, refused. */
export function tabulate(
  results: readonly { file: string; product: Judgement; other: Judgement }[],
): string[] {
  const count = (of: readonly Judgement[]) =>
    verdicts.map((verdict) => of.filter((one) => one.verdict === verdict).length).join(' / ')
  const row = (name: string, chosen: typeof results) =>
    `| ${name} | ${chosen.length} | ${count(chosen.map(({ product }) => product))} | ${count(chosen.map(({ other }) => other))} |`
  const formats = [...new Set(results.map(({ file }) => formatOf(file)))].toSorted()
  return [
    '| format | files | product | markitdown |',
    '| --- | ---: | --- | --- |',
    ...formats.map((format) =>
      row(
        `\`${format}\``,
        results.filter(({ file }) => formatOf(file) === format),
      ),
    ),
    row('all', results),
  ]
}
