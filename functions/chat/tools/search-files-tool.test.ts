import { describe, expect, it, vi } from 'vitest'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { aReadDocument, anUnreadableDocument } from '../../../test/support/read-documents.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { indexKey, textKey, vectorsKey } from '../../files/file-links.ts'
import { buildIndex } from '../../files/search-index/build-index.ts'
import type { SearchResult } from '../../files/search-index/search-files.ts'
import { encodeVectors } from '../../files/search-index/vectors-format.ts'
import type { StartReading } from '../../files/start-reading.ts'
import type { EmbeddingModel } from '../../models/embedding-model.ts'
import { ModelError, modelErrors } from '../../models/model-errors.ts'
import type { Spending } from '../reply-budget.ts'
import { searchFilesTool } from './search-files-tool.ts'

/** A tool over these files; a text stands for a document that has it. */
async function openTool(
  files: readonly (StoredFile | [id: string, text: string])[],
  embeddingModel?: EmbeddingModel,
) {
  const objects = new Map<string, Uint8Array>()
  const rows: StoredFile[] = []
  for (const file of files) {
    if (!Array.isArray(file)) {
      rows.push(file)
      continue
    }
    const [id, text] = file
    const index = await buildIndex(text)
    const row = aReadDocument(id, text)
    rows.push({
      ...row,
      ...(row.text && { text: { ...row.text, isIndexed: true, languages: [...index.languages] } }),
    })
    objects.set(textKey('ann', id), new TextEncoder().encode(text))
    objects.set(indexKey('ann', id), index.bytes)
  }
  const store = {
    readRange: async (key: string, from: number, to: number) => {
      const object = objects.get(key)
      return object && { bytes: object.slice(from, to), etag: key }
    },
  } as unknown as Parameters<typeof searchFilesTool>[0]['store']
  const spending = { reserve: vi.fn<Spending['reserve']>(), spend: vi.fn<Spending['spend']>() }
  const startReading = vi.fn<StartReading>()
  const tool = searchFilesTool(
    { store, startReading },
    { sub: 'ann', listFiles: async () => rows, spending, embeddingModel },
  )
  const search = async (input: Record<string, unknown>) => {
    const checked = tool.parameters.check(input)
    if (!('input' in checked)) throw new Error(checked.problem.text)
    return (await tool.run(checked.input, new AbortController().signal)) as SearchResult
  }
  return { tool, search, spending, objects, rows, startReading }
}

const manual = ['manual', `${'The pump is cleaned every week.\n'.repeat(200)}The deposit is 340 euros.`] as [
  string,
  string,
]
const letter = ['letter', 'Die Kündigungsfrist beträgt drei Monate.'] as [string, string]

describe('a search', () => {
  it('finds a passage anywhere in a long text, with its position', async () => {
    const { search } = await openTool([manual, letter])
    const { passages, searched, not_searched: notSearched } = await search({ wordings: ['deposit'] })
    expect(passages[0]).toMatchObject({ id: 'manual', name: 'manual.pdf', to: manual[1].length })
    expect(passages[0]?.text).toBe(manual[1].slice(passages[0]?.from, passages[0]?.to))
    expect(searched).toEqual([
      { name: 'manual.pdf', characters: manual[1].length },
      { name: 'letter.pdf', characters: letter[1].length },
    ])
    expect(notSearched).toBeUndefined()
  })

  it('joins the rankings of several wordings', async () => {
    const { search } = await openTool([manual, letter])
    const { passages } = await search({ wordings: ['notice period', 'Kündigungsfrist'] })
    expect(passages[0]?.id).toBe('letter')
  })

  it('that finds nothing names the files and their headings', async () => {
    const { search } = await openTool([['book', '# Chapter one\n\nText']])
    expect(await search({ wordings: ['zebra'] })).toMatchObject({
      passages: [],
      searched: [{ name: 'book.pdf', characters: 19 }],
      headings: [{ name: 'book.pdf', headings: ['# Chapter one'] }],
    })
  })

  it('searches the files that the model names, by id or name', async () => {
    const { search } = await openTool([manual, letter])
    expect((await search({ wordings: ['die', 'the'], files: ['LETTER.pdf'] })).searched).toHaveLength(1)
    expect((await search({ wordings: ['die', 'the'], files: ['manual', 'letter'] })).searched).toHaveLength(2)
    await expect(search({ wordings: ['die'], files: ['other'] })).rejects.toThrow(
      'There is no such file. The files are: manual.pdf (manual), letter.pdf (letter).',
    )
    await expect((await openTool([])).search({ wordings: ['die'], files: ['other'] })).rejects.toThrow(
      'This conversation has no files.',
    )
  })

  it('tells which files were not searched, and why', async () => {
    const { search } = await openTool([
      letter,
      anUnreadableDocument('locked', 'It is locked.'),
      aReadDocument('new', 'Text', { reader_version: 0 }),
      aReadDocument('photo', '', { name: 'photo.png', type: 'image/png' }),
      aReadDocument('plain', 'Text'),
    ])
    const result = await search({ wordings: ['Monate'] })
    expect(result.not_searched).toEqual([
      { name: 'locked.pdf', why: sayOwnTool('no_text.unreadable', { note: 'It is locked.' }) },
      { name: 'new.pdf', why: sayOwnTool('no_text.reading') },
      { name: 'photo.png', why: sayOwnTool('no_text.other') },
      { name: 'plain.pdf', why: sayOwnTool('not_searched.not_indexed', { tool: 'read_attachment' }) },
    ])
  })

  it('tells which of the named files there are not', async () => {
    const { search } = await openTool([manual, letter])
    const named = ['letter', 'LETTER.pdf', 'other.pdf', 'Other.pdf']
    const { searched, not_searched: notSearched } = await search({ wordings: ['Monate'], files: named })
    expect(searched).toEqual([{ name: 'letter.pdf', characters: letter[1].length }])
    expect(notSearched).toEqual(
      ['other.pdf', 'Other.pdf'].map((name) => ({ name, why: sayOwnTool('not_searched.unknown') })),
    )
  })

  it('tells how much of a text is kept', async () => {
    const { search } = await openTool([letter])
    const { tool, search: searchCut } = await openTool([])
    expect(tool.name).toBe('search_files')
    expect((await search({ wordings: ['x'] })).not_searched).toBeUndefined()
    expect((await searchCut({ wordings: ['x'] })).searched).toEqual([])
  })
})

it.each([
  [{ query: 'deposit' }, { wordings: ['deposit'] }],
  [{ wordings: 'deposit' }, { wordings: ['deposit'] }],
  [{ wordings: ['a'], files: null }, { wordings: ['a'] }],
  [
    { wordings: ['a'], files: 'b.pdf' },
    { wordings: ['a'], files: ['b.pdf'] },
  ],
])('takes %j as %j', async (input, expected) => {
  const { tool } = await openTool([])
  expect(tool.parameters.check(input)).toEqual({ input: expected })
})

it('refuses no wording, and more than eight', async () => {
  const { tool } = await openTool([])
  for (const wrong of [{}, { wordings: [] }, { wordings: Array(9).fill('a') }, { wordings: [' '] }])
    expect(tool.parameters.check(wrong)).toHaveProperty('problem')
})

describe('a search with a model for embeddings', () => {
  /** A tool over a file that has vectors of the model 'm', which takes every wording for its text. */
  async function openWithVectors(embed: EmbeddingModel['embed'], vectorsModel = 'm') {
    const model = { name: 'm', embed: vi.fn<EmbeddingModel['embed']>(embed) }
    const opened = await openTool([letter], model)
    const values = Int8Array.from([127, 0])
    opened.objects.set(
      vectorsKey('ann', 'letter'),
      encodeVectors({ model: 'm', dimensions: 2, characters: letter[1].length, windows: [1], values }),
    )
    Object.assign(opened.rows[0] ?? {}, { vectors_model: vectorsModel })
    return { ...opened, model }
  }
  const answers = async (texts: readonly string[]) => ({
    vectors: texts.map(() => Float32Array.from([1, 0])),
    tokens: 9,
  })

  it('embeds all wordings by one request, counts it, and finds by meaning', async () => {
    const { search, model, spending } = await openWithVectors(answers)
    const { passages } = await search({ wordings: ['notice', 'resign'] })
    expect(passages.map(({ id }) => id)).toEqual(['letter'])
    expect(model.embed.mock.calls.map(([texts]) => texts)).toEqual([['notice', 'resign']])
    expect(spending.reserve).toHaveBeenCalledOnce()
    expect(spending.spend).toHaveBeenCalledExactlyOnceWith({ inputTokens: 9, outputTokens: 0 })
  })

  it.each<[why: string, error: Error, spent: number]>([
    ['refuses the key', new ModelError(modelErrors.key, 'no'), 0],
    ['sends what is no embedding', new ModelError(modelErrors.unreadable, 'text'), 1],
  ])('goes by words when its server %s', async (_, error, spent) => {
    const { search, spending } = await openWithVectors(() => Promise.reject(error))
    expect((await search({ wordings: ['notice'] })).passages).toEqual([])
    expect((await search({ wordings: ['Monate'] })).passages[0]?.id).toBe('letter')
    expect(spending.spend).toHaveBeenCalledTimes(2 * spent)
  })

  it('goes by words when the budget is used up', async () => {
    const { search, spending, model } = await openWithVectors(answers)
    spending.reserve.mockRejectedValue(new Error('used up'))
    expect((await search({ wordings: ['Monate'] })).passages[0]?.id).toBe('letter')
    expect(model.embed).not.toHaveBeenCalled()
    expect(spending.spend).not.toHaveBeenCalled()
  })

  it.each<[what: string, changes: Partial<StoredFile>, isStarted: boolean]>([
    ['none', { vectors_model: undefined }, true],
    ['those of another model', { vectors_model: 'other' }, true],
    ['the first ones, and the rest is due', { vectors_due: Date.now() - 1 }, true],
    ['the first ones, and the rest is not due', { vectors_due: Date.now() + 60_000 }, false],
    ['all', {}, false],
  ])('has vectors made of a file that has %s', async (_, changes, isStarted) => {
    const { search, startReading, rows } = await openWithVectors(async () => ({ vectors: [], tokens: 0 }))
    Object.assign(rows[0] ?? {}, changes)
    await search({ wordings: ['notice'] })
    expect(startReading.mock.calls).toEqual(isStarted ? [['ann', ['letter']]] : [])
  })

  it('asks it for nothing when no file has vectors of it', async () => {
    const { search, model } = await openWithVectors(answers, 'earlier')
    expect((await search({ wordings: ['Monate'] })).passages[0]?.id).toBe('letter')
    expect(model.embed).not.toHaveBeenCalled()
  })
})
