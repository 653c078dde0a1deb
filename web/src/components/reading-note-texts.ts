import { plural, t } from '@lingui/core/macro'
import type { OmissionKind } from '#shared/document-omissions.ts'

export const inFull = t`read in full`
export const allPages = (pages: number) => plural(pages, { one: 'all # page', other: 'all # pages' })
export const beingRead = t`is being read`
export const somePages = (shown: string, all: string) => t`the first ${shown} of ${all} pages`
export const someCharacters = (shown: string, all: string) => t`the first ${shown} of ${all} characters`
export const guessedEncoding = (encoding: string) => t`read as ${encoding}, which is a guess`
export const emptyPage = (page: string) => t`page ${page} has no text, it may be scanned`
export const emptyPages = (pages: string) => t`pages ${pages} have no text, they may be scanned`
export const morePages = (pages: number) => plural(pages, { one: '# more', other: '# more' })
export const oneNotRead = (thing: string) => t`${thing} was not read`
export const notRead = (things: string) => t`${things} were not read`

/** What is in a document and not in its text. */
export const things: Readonly<Record<OmissionKind, (count: number) => string>> = {
  attachments: (count) => plural(count, { one: '# attached file', other: '# attached files' }),
  charts: (count) => plural(count, { one: '# chart', other: '# charts' }),
  damagedCharacters: (count) => plural(count, { one: '# damaged character', other: '# damaged characters' }),
  diagrams: (count) => plural(count, { one: '# diagram', other: '# diagrams' }),
  embedded: (count) => plural(count, { one: '# embedded object', other: '# embedded objects' }),
  formulas: (count) => plural(count, { one: '# formula', other: '# formulas' }),
  links: (count) => plural(count, { one: '# link', other: '# links' }),
  macros: (count) => plural(count, { one: '# macro project', other: '# macro projects' }),
  media: (count) => plural(count, { one: '# sound or film', other: '# sounds and films' }),
  parts: (count) => plural(count, { one: '# damaged part', other: '# damaged parts' }),
  pictures: (count) => plural(count, { one: '# picture', other: '# pictures' }),
  rows: (count) => plural(count, { one: '# repeated row', other: '# repeated rows' }),
}
