import { afterAll, beforeAll, expect, it } from 'vitest'
import { maxAnalysisCharacters } from '#shared/limits.ts'
import { aReadDocument, anUnreadableDocument, readRangeOf } from '../../../test/support/read-documents.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { waitLimitsMs } from '../../platform/wait-limits.ts'
import { readAttachmentTool } from './read-attachment-tool.ts'

const { reading } = waitLimitsMs
beforeAll(() => {
  waitLimitsMs.reading = 0
})
afterAll(() => {
  waitLimitsMs.reading = reading
})

/** Reads in a document with this text. */
function read(
  text: string,
  { found, from = 0, isStored = true }: { found?: StoredFile | null; from?: number; isStored?: boolean } = {},
) {
  const keys: string[] = []
  const file = found === undefined ? aReadDocument('f1', text) : found
  const attached = {
    files: { findMany: async () => new Map(file ? [['f1', file]] : []) },
    startReading: async () => undefined,
    store: { readRange: readRangeOf(isStored ? { f1: text } : {}, (key) => keys.push(key)) },
  } as unknown as Parameters<typeof readAttachmentTool>[0]
  const tool = readAttachmentTool(attached, 'ann')
  return { keys, tool, part: tool.run({ id: 'f1', from }, undefined as never) }
}

it('returns the text from a position to the end', async () => {
  const { part } = read('One two', { from: 4 })
  expect(await part).toEqual({ name: 'f1.pdf', from: 4, to: 7, of: 7, text: 'two' })
})

it.each<[string, Parameters<typeof read>[1], RegExp]>([
  ['there is no file of this id', { found: null }, /no attachment with this id/],
  [
    'the upload is not finished',
    { found: aReadDocument('f1', 'Text', { state: 'incoming' }) },
    /no attachment with this id/,
  ],
  [
    'the file is no document',
    { found: aReadDocument('f1', 'Text', { name: 'a.png', type: 'image/png' }) },
    /cannot be read/,
  ],
  [
    'nobody has read it yet',
    { found: aReadDocument('f1', 'Text', { reader_version: 0 }) },
    /still being read/,
  ],
  ['it cannot be read', { found: anUnreadableDocument('f1', 'It is locked.') }, /It is locked/],
  ['its text is not stored any more', { isStored: false }, /not there any more/],
  ['the position is behind the end', { from: 4 }, /^The document has 4 characters\.$/],
  [
    'the position is behind what is kept',
    { from: 5, found: aReadDocument('f1', 'Text', { text_length: 9 }) },
    /^Of the document's 9 characters only the first 4 are kept\.$/,
  ],
])('says that %s', async (_, options, message) => {
  await expect(read('Text', options).part).rejects.toThrow(message)
})

it('returns a part at a time, and the conversation keeps which part it was', async () => {
  const { part, tool, keys } = read(
    `${'a'.repeat(maxAnalysisCharacters)}${'b'.repeat(maxAnalysisCharacters)}c`,
  )
  const range = { name: 'f1.pdf', from: 0, to: maxAnalysisCharacters, of: 2 * maxAnalysisCharacters + 1 }
  expect(await part).toEqual({ ...range, text: 'a'.repeat(maxAnalysisCharacters) })
  expect(tool.toStoredResult?.(await part)).toEqual(range)
  expect(keys).toEqual(['users/ann/f1/text'])
})

it('reads from the beginning unless the model names a position', () => {
  const { parameters, ...tool } = read('Text').tool
  expect(tool).toMatchObject({
    name: 'read_attachment',
    writes: false,
    activity: 'document_analysis',
    timeoutMs: 40_000,
  })
  expect(parameters.check({ id: 'f1' })).toEqual({ input: { id: 'f1', from: 0 } })
  expect(parameters.check({ id: 'f'.repeat(64), from: 0 })).toHaveProperty('input')
  for (const wrong of [{ id: 'f'.repeat(65) }, { id: 'f1', from: -1 }, { id: 'f1', from: 0.5 }, {}])
    expect(parameters.check(wrong)).toHaveProperty('problem')
})
