import { expect, it } from 'vitest'
import { maxAnalysisCharacters } from '#shared/limits.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { readAttachmentTool } from './read-attachment-tool.ts'

const file: StoredFile = {
  id: 'f1',
  name: 'f1.pdf',
  type: 'application/pdf',
  size: 2_000,
  state: 'ready',
  created_at: '2026-11-21T12:00:00.000Z',
}

/** Reads on in a document with this text. */
function read(text: string | undefined, found: StoredFile | Error = file, from = 0) {
  const keys: string[] = []
  const attached = {
    files: {
      find: async () => {
        if (found instanceof Error) throw found
        return found
      },
    },
    store: {
      read: async (key: string) => {
        keys.push(key)
        return text === undefined ? undefined : new TextEncoder().encode(text)
      },
    },
  } as unknown as Parameters<typeof readAttachmentTool>[0]
  const tool = readAttachmentTool(attached, 'ann')
  return { keys, tool, part: tool.run({ id: 'f1', from }, undefined as never) }
}

const noAttachment = 'There is no attachment with this id whose text can be read.'

it('returns the text from a position to the end', async () => {
  const { part } = read('One two', file, 4)
  expect(await part).toEqual({ name: 'f1.pdf', from: 4, to: 7, of: 7, text: 'two' })
})

it('says that the file has no text', async () => {
  await expect(read(undefined).part).rejects.toThrow(noAttachment)
})

it('says that the file does not exist', async () => {
  await expect(read('Text', new Error('no such file')).part).rejects.toThrow(noAttachment)
})

it('reads nothing of a file whose upload is not finished', async () => {
  const { part, keys } = read('Text', { ...file, state: 'incoming' })
  await expect(part).rejects.toThrow(noAttachment)
  expect(keys).toEqual([])
})

it('says where the document ends when the position is beyond its end', async () => {
  await expect(read('Text', file, 4).part).rejects.toThrow('The document ends at character 4.')
})

it('returns as much at a time as the analysis shows, and the conversation keeps which part it was', async () => {
  const { part, tool, keys } = read(
    `${'a'.repeat(maxAnalysisCharacters)}${'b'.repeat(maxAnalysisCharacters)}c`,
  )
  const range = { name: 'f1.pdf', from: 0, to: maxAnalysisCharacters, of: 2 * maxAnalysisCharacters + 1 }
  expect(await part).toEqual({ ...range, text: 'a'.repeat(maxAnalysisCharacters) })
  expect(tool.toStoredResult?.(await part)).toEqual(range)
  expect(keys).toEqual(['users/ann/f1/text'])
})

it('reads on where the analysis ends, unless the model names a position', () => {
  const { parameters, ...tool } = read('Text').tool
  expect(tool).toMatchObject({
    name: 'read_attachment',
    writes: false,
    activity: 'document_analysis',
    timeoutMs: 20_000,
  })
  expect(parameters.check({ id: 'f1' })).toEqual({ input: { id: 'f1', from: maxAnalysisCharacters } })
  expect(parameters.check({ id: 'f'.repeat(64), from: 0 })).toHaveProperty('input')
  for (const wrong of [{ id: 'f'.repeat(65) }, { id: 'f1', from: -1 }, { id: 'f1', from: 0.5 }, {}])
    expect(parameters.check(wrong)).toHaveProperty('problem')
})
