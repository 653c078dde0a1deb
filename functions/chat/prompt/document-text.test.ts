import { expect, it } from 'vitest'
import { aReadDocument } from '../../../test/support/read-documents.ts'
import { explainNoText } from './document-text.ts'

it.each([
  ['papers.zip', 'application/zip', 'an archive, which is not read: unpack it and attach its files'],
  ['data.csv.gz', 'application/x-gzip', 'an archive, which is not read: unpack it and attach its files'],
  ['film.mp4', 'video/mp4', 'its content cannot be read'],
])('the note of %s says why it has no text', (name, type, note) => {
  expect(explainNoText(aReadDocument('f1', '', { name, type })).text).toBe(note)
})
