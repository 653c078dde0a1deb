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
export const garbledPage = (page: string) => t`page ${page} has text in an unknown encoding`
export const garbledPages = (pages: string) => t`pages ${pages} have text in an unknown encoding`
export const cutShort = t`reading took too long and ended before the end of the file`
export const markedHidden = (count: number) =>
  plural(count, { one: '# hidden part is marked as hidden', other: '# hidden parts are marked as hidden' })
export const morePages = (pages: number) => plural(pages, { one: '# more', other: '# more' })
export const oneNotRead = (thing: string) => t`${thing} was not read`
export const notRead = (things: string) => t`${things} were not read`

/** What is in a document and not in its text. */
export const things: Readonly<Record<OmissionKind, (count: number) => string>> = {
  attachments: (count) => plural(count, { one: '# attached file', other: '# attached files' }),
  charts: (count) => plural(count, { one: '# chart', other: '# charts' }),
  chartValues: (count) => plural(count, { one: '# value of a chart', other: '# values of charts' }),
  damagedCharacters: (count) => plural(count, { one: '# damaged character', other: '# damaged characters' }),
  diagrams: (count) => plural(count, { one: '# diagram', other: '# diagrams' }),
  embedded: (count) => plural(count, { one: '# embedded object', other: '# embedded objects' }),
  forms: (count) => plural(count, { one: '# form', other: '# forms' }),
  formulas: (count) => plural(count, { one: '# formula', other: '# formulas' }),
  garbled: (count) =>
    plural(count, { one: '# page in an unknown encoding', other: '# pages in an unknown encoding' }),
  hidden: (count) => plural(count, { one: '# hidden part', other: '# hidden parts' }),
  links: (count) => plural(count, { one: '# link', other: '# links' }),
  macros: (count) => plural(count, { one: '# macro project', other: '# macro projects' }),
  media: (count) => plural(count, { one: '# sound or film', other: '# sounds and films' }),
  messages: (count) => plural(count, { one: '# message', other: '# messages' }),
  outputs: (count) => plural(count, { one: '# output', other: '# outputs' }),
  parts: (count) => plural(count, { one: '# damaged part', other: '# damaged parts' }),
  pictures: (count) => plural(count, { one: '# picture', other: '# pictures' }),
  rows: (count) => plural(count, { one: '# repeated row', other: '# repeated rows' }),
  scans: (count) => plural(count, { one: '# page without text', other: '# pages without text' }),
  scripts: (count) => plural(count, { one: '# script', other: '# scripts' }),
  stamps: (count) => plural(count, { one: '# stamp', other: '# stamps' }),
  styles: (count) => plural(count, { one: '# style sheet', other: '# style sheets' }),
  unfinished: (count) =>
    plural(count, { one: '# rest of an attached file', other: '# rests of attached files' }),
  unknown: (count) => plural(count, { one: '# unknown element', other: '# unknown elements' }),
}
