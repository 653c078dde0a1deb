import { expect, it } from 'vitest'
import { omissionNames } from '#shared/document-omissions.ts'
import { describeReading } from './reading-note.ts'

it.each([
  'read in full',
  'all 1,200 pages',
  'the first 3 of 1,200 pages; pages 2, 5–9 and 12 have no text, they may be scanned',
  'pages 1, 3, 5, 7, 9, 11, 13, 15 and 4 more have no text, they may be scanned',
  'page 4 has no text, it may be scanned',
  'the first 8,000 of 20,480 characters; 2 formulas, 1 chart and 3 sounds and films were not read',
  'all 2 pages; 1 picture was not read; read as windows-1252, which is a guess',
  'page 4 has text in an unknown encoding',
  '2 of 3 pages; pages 1–2 have text in an unknown encoding',
  'first 8,000 of 90,000 characters; reading took too long and ended before the end of the file',
  'Unable to access the file. It may have been deleted or moved.',
  'words of another version',
  ...Object.values(omissionNames).flatMap(([one, several]) => [
    `1 ${one} was not read`,
    `2 ${several} were not read`,
  ]),
])('every part of a note is recognised: %s', (note) => {
  // the page of the tests is English, as notes are, and American: with a comma before the last item
  expect(describeReading({ reading: { state: 'read', note } })?.replace(', and ', ' and ')).toBe(note)
})

it('a document that is being read says so, and another kind of file nothing', () => {
  expect(describeReading({ reading: { state: 'pending' } })).toBe('is being read')
  expect(describeReading({})).toBeUndefined()
})
