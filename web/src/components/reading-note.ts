import type { Attachment } from '#shared/contracts/files.ts'
import { omissionKinds, omissionNames } from '#shared/document-omissions.ts'
import { formatConjunction, formatCount } from '../lib/locale.ts'
import { translateSentence } from '../lib/translate.ts'
import * as texts from './reading-note-texts.ts'

const parseCount = (count: string) => Number(count.replaceAll(',', ''))
const localise = (count: string) => formatCount(parseCount(count))
const splitList = (list: string) => list.split(/, | and (?=\d)/)

/** For example '3 pictures'. */
function countThings(text: string): string {
  const [count = '', ...words] = text.split(' ')
  const name = words.join(' ')
  const kind = omissionKinds.find((one) => omissionNames[one].some((known) => known === name))
  return kind ? texts.things[kind](parseCount(count)) : text
}

const listThings = (list: string) => formatConjunction(splitList(list).map(countThings))

const listPages = (list: string) =>
  formatConjunction(
    splitList(list).map((pages) =>
      pages.endsWith(' more') ? texts.morePages(parseCount(pages.slice(0, -' more'.length))) : pages,
    ),
  )

const rules: readonly (readonly [RegExp, (...values: string[]) => string])[] = [
  [/^read in full$/, () => texts.inFull],
  [/^all ([\d,]+) pages$/, (pages = '') => texts.allPages(parseCount(pages))],
  [
    /^the first ([\d,]+) of ([\d,]+) pages$/,
    (shown = '', all = '') => texts.somePages(localise(shown), localise(all)),
  ],
  [
    /^the first ([\d,]+) of ([\d,]+) characters$/,
    (shown = '', all = '') => texts.someCharacters(localise(shown), localise(all)),
  ],
  [/^read as (.+), which is a guess$/, (encoding = '') => texts.guessedEncoding(encoding)],
  [/^page (\d+) has no text, it may be scanned$/, (page = '') => texts.emptyPage(page)],
  [/^pages (.+) have no text, they may be scanned$/, (pages = '') => texts.emptyPages(listPages(pages))],
  [/^page (\d+) has text in an unknown encoding$/, (page = '') => texts.garbledPage(page)],
  [/^pages (.+) have text in an unknown encoding$/, (pages = '') => texts.garbledPages(listPages(pages))],
  [/^reading took too long and ended before the end of the file$/, () => texts.cutShort],
  [
    /^([\d,]+) hidden parts? (?:is|are) marked as hidden$/,
    (count = '') => texts.markedHidden(parseCount(count)),
  ],
  [/^(\d.*) was not read$/, (thing = '') => texts.oneNotRead(listThings(thing))],
  [/^(\d.*) were not read$/, (things = '') => texts.notRead(listThings(things))],
]

function translatePart(part: string): string {
  for (const [pattern, translate] of rules) {
    const match = pattern.exec(part)
    if (match) return translate(...match.slice(1))
  }
  return translateSentence(part)
}

/** What the service says, in English, about how much of a document was read; in the language of the page. */
const translateReadingNote = (note: string): string => note.split('; ').map(translatePart).join('; ')

/** How far the service is with a document; undefined for a file that nothing reads. */
export function describeReading({ reading }: Pick<Attachment, 'reading'>): string | undefined {
  if (!reading) return undefined
  if (reading.note !== undefined) return translateReadingNote(reading.note)
  return reading.state === 'pending' ? texts.beingRead : undefined
}
