import { describe, expect, it, vi, type Mock } from 'vitest'
import { maxFileBytes } from '#shared/limits.ts'
import { openTableAndStore } from '../../test/support/table-and-store.ts'
import { deleteFile } from '../files/delete-files.ts'
import { indexKey, picturesKey, textKey } from '../files/file-links.ts'
import { fileRepository } from '../files/file-repository.ts'
import type { StoredFile } from '../files/file-row.ts'
import { readingRepository } from '../files/reading-repository.ts'
import { encodeText } from '../files/stored-text.ts'
import { vectorsRepository } from '../files/vectors-repository.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { analyzeDocument } from './analyze-document.ts'
import { DocumentsUnavailable, FileInaccessible, OtherUser } from './errors.ts'
import type { ExtractedText } from './extracted-text.ts'
import type { ParseDocument } from './invoke-parser.ts'
import { type ParseResponse, toParsedDocument } from './parser-contract.ts'
import { putSignedObject } from './bucket-object.ts'
import { readDocument } from './read-document.ts'
import { storedTypes } from './stored-types.ts'

const bucket = 'uploads'
const table = await openTableAndStore(bucket)

const parsed = (text: string, index?: { languages: string[] }): ParseResponse => ({
  extracted: toParsedDocument({ text, length: text.length }, encodeText(text), index),
})

/** The parser as it is: it stores by the addresses that it is given. */
const parserOf =
  (text: string, meanwhile: () => Promise<unknown> = async () => undefined) =>
  async ({ textForm, indexForm }: Parameters<ParseDocument>[0]) => {
    await meanwhile()
    const put = (form: typeof textForm, body: Uint8Array<ArrayBuffer>) =>
      putSignedObject(form, { origin: new URL(form.url).origin, body })
    await put(textForm, encodeText(text).bytes)
    await put(indexForm, new Uint8Array([1]))
    return parsed(text, { languages: ['en'] })
  }

async function storeFile(changes: Partial<StoredFile> = {}) {
  const [sub, id] = [crypto.randomUUID(), crypto.randomUUID()]
  const files = fileRepository(table)
  const store = openObjectStore(bucket)
  const file = {
    id,
    name: 'a.txt',
    type: 'text/plain',
    size: 5,
    state: 'ready' as const,
    created_at: new Date().toISOString(),
  }
  await files.put(sub, { ...file, ...changes })
  const startEmbedding = vi.fn<(sub: string, ids: readonly string[]) => Promise<void>>()
  const read = (parse: ParseDocument) =>
    readDocument({ files: readingRepository(table), store, parse, startEmbedding }, { sub, id })
  const objects = async () =>
    Promise.all(
      [textKey, indexKey].map(async (key) => Buffer.from((await store.read(key(sub, id))) ?? []).toString()),
    )
  return { sub, id, files, store, read, objects, startEmbedding, row: () => files.find(sub, id) }
}

describe('a reading', () => {
  it('stores the whole text and its index beside the document, and the rest in its row', async () => {
    const { read, objects, row } = await storeFile()
    const text = 'é'.repeat(9_000)
    await read(parserOf(text))
    expect((await objects())[0]).toBe(text)
    expect(await row()).toMatchObject({
      reading: { status: 'whole', note: 'read in full' },
      extracted_text: text.slice(0, 2_000),
      text_length: 9_000,
      text: { characters: 9_000, bytes: 18_000, isIndexed: true, languages: ['en'] },
    })
    expect(await row()).not.toHaveProperty('reading_until')
  })

  it('has vectors of a text made, and forgets those of an earlier reading', async () => {
    const { read, row, startEmbedding, sub, id } = await storeFile()
    await vectorsRepository(table).postpone(sub, id, 'm', 1)
    await read(parserOf('Text'))
    expect(startEmbedding).toHaveBeenCalledExactlyOnceWith(sub, [id])
    expect(await row()).not.toHaveProperty('vectors_model')
    expect(await row()).not.toHaveProperty('vectors_due')
  })

  it('has vectors made of a text that is read already', async () => {
    const { read, startEmbedding } = await storeFile()
    await read(parserOf('Text'))
    await read(parserOf('Text'))
    expect(startEmbedding).toHaveBeenCalledTimes(2)
  })

  it.each<[string, ParseResponse]>([
    ['that cannot be searched', parsed('Text')],
    ['without content', parsed(' -- ')],
  ])('has no vectors of a text %s made', async (_, response) => {
    const { read, startEmbedding } = await storeFile()
    await read(async () => response)
    expect(startEmbedding).not.toHaveBeenCalled()
  })

  it.each<[what: string, found: Partial<ExtractedText>]>([
    ['the pictures of its pages', { pictures: [{ page: 1, bytes: new Uint8Array([7]) }] }],
    ['its scanned pages', { scans: { of: 1, parts: [{ pages: [1], bytes: new Uint8Array([7]) }] } }],
  ])('of a document without text keeps %s', async (_, found) => {
    const { read, store, sub, id } = await storeFile()
    await read(async ({ picturesForm }) => {
      const origin = new URL(picturesForm.url).origin
      await putSignedObject(picturesForm, { origin, body: new Uint8Array([7]) })
      const extracted = { text: '', length: 0, pages: { ends: [0], total: 1, empty: [1] }, ...found }
      return { extracted: toParsedDocument(extracted, encodeText(''), undefined) }
    })
    expect(await store.read(picturesKey(sub, id))).toEqual(new Uint8Array([7]))
  })

  it('signs for the parser no more bytes than a reading may have', { tags: 'long' }, async () => {
    const { read, objects } = await storeFile()
    const parse = vi.fn<ParseDocument>(async () => parsed('Text'))
    await read(parse)
    const [{ textForm, indexForm, picturesForm, tablesForm }] = parse.mock.calls[0] ?? [{} as never]
    const limits = [textForm, indexForm, picturesForm, tablesForm].map(({ fields }) => {
      const policy = JSON.parse(Buffer.from(fields['Policy'] ?? '', 'base64').toString()) as {
        conditions: unknown[][]
      }
      return policy.conditions.find(([name]) => name === 'content-length-range')?.slice(1)
    })
    expect(limits).toEqual(Object.values(storedTypes).map(({ maxBytes }) => [0, maxBytes]))
    const { origin } = new URL(textForm.url)
    const body = new Uint8Array(storedTypes.text.maxBytes + 1)
    await expect(putSignedObject(textForm, { origin, body })).rejects.toThrow('The bucket answered 400.')
    expect(await objects()).toEqual(['', ''])
  })

  it('happens once: a file that is read, or that another reader has, is left alone', async () => {
    const { read } = await storeFile()
    const parse: Mock<ParseDocument> = vi.fn<ParseDocument>(
      parserOf('Text', (): Promise<void> => read(parse)),
    )
    await read(parse)
    await read(parse)
    expect(parse).toHaveBeenCalledOnce()
  })

  it('whose reader ended without a word is taken over after a minute', async () => {
    const { read, row, sub, id } = await storeFile()
    await readingRepository(table).claim(sub, id, Date.now() - 61_000)
    await read(parserOf('Text'))
    expect((await row()).reading).toBeDefined()
  })

  it.each<[how: string, meanwhile: (file: Awaited<ReturnType<typeof storeFile>>) => Promise<unknown>]>([
    ['was deleted', ({ files, store, sub, id }) => deleteFile({ files, store }, sub, id)],
    ['began to be deleted', ({ files, sub, id }) => files.markDeleted(sub, id)],
  ])('leaves nothing of a document that %s while it was read', async (_, meanwhile) => {
    const file = await storeFile()
    await file.read(parserOf('Text', () => meanwhile(file)))
    expect(await file.objects()).toEqual(['', ''])
  })

  it('that failed while its document was deleted leaves nothing when it is tried again', async () => {
    const { read, objects, files, store, sub, id } = await storeFile()
    const parse = parserOf('Text', () => deleteFile({ files, store }, sub, id))
    const failing: ParseDocument = async (request) => {
      await parse(request)
      throw new DocumentsUnavailable('down')
    }
    await expect(read(failing)).rejects.toThrow(DocumentsUnavailable)
    await read(parse)
    expect(await objects()).toEqual(['', ''])
  })

  it('of a file that is not there, or not complete, reads nothing', async () => {
    const parse = vi.fn<ParseDocument>()
    await (await storeFile({ state: 'incoming' })).read(parse)
    const { read, sub, id, files } = await storeFile()
    await files.remove(sub, [id])
    await read(parse)
    expect(parse).not.toHaveBeenCalled()
  })

  it('with numbers that the table does not take is stored with their texts', async () => {
    const { read, row } = await storeFile()
    const info = { name: '', range: 'A1:B2', rows: 1, columns: [], columnCount: 2 }
    const numbers = [3.404341889e17, 1e-140, 12.5, 0]
    const found = toParsedDocument({ text: 'a', length: 1 }, encodeText('a'), undefined)
    await read(async () => ({ extracted: { ...found, tables: [{ ...info, sample: [numbers] }] } }))
    expect((await row()).tables?.[0]?.sample).toEqual([['340434188900000000', '1e-140', 12.5, 0]])
  })

  it('that is late is tried again, and the fourth time is told as such', async () => {
    const { read, row } = await storeFile()
    const late: ParseDocument = async () => ({ problem: 'late' })
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(read(late)).rejects.toThrow(DocumentsUnavailable)
      expect(await row()).not.toHaveProperty('reading')
    }
    await read(late)
    expect((await row()).reading).toMatchObject({ status: 'failed', code: 'too_slow' })
  })

  it('that fails can be tried again at once, and the fourth failure is told', async () => {
    const { read, row } = await storeFile()
    const down: ParseDocument = () => Promise.reject(new DocumentsUnavailable('down'))
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(read(down)).rejects.toThrow(DocumentsUnavailable)
      expect(await row()).not.toHaveProperty('reading')
    }
    await expect(read(down)).rejects.toThrow(DocumentsUnavailable)
    expect((await row()).reading).toMatchObject({ status: 'failed', code: 'unavailable' })
  })

  it.each<[string, Partial<StoredFile>, string]>([
    ['of a kind that is not read', { name: 'a.mp4', type: 'video/mp4' }, 'unsupported'],
    ['that is too large', { size: maxFileBytes + 1 }, 'unsupported'],
  ])('of a file %s is refused without the parser', async (_, changes, code) => {
    const { read, row } = await storeFile(changes)
    const parse = vi.fn<ParseDocument>()
    await read(parse)
    expect((await row()).reading).toMatchObject({ status: 'failed', code })
    expect(parse).not.toHaveBeenCalled()
  })

  it.each<[string, ParseResponse, string]>([
    ['took too long', { problem: 'tooSlow' }, 'too_slow'],
    ['is gone', { missing: true }, 'inaccessible'],
    ['has no content', parsed(' -- '), 'no_content'],
  ])('of a document that %s says so, and no text stays', async (_, response, code) => {
    const { read, row, objects } = await storeFile()
    await read(async (request) => {
      await parserOf('left by an earlier reading')(request)
      return response
    })
    expect((await row()).reading).toMatchObject({ status: 'failed', code })
    expect([await objects(), (await row()).text]).toEqual([['', ''], undefined])
  })
})

describe('the analysis', () => {
  type Request = Parameters<typeof analyzeDocument>[2]

  /** Analyses a file that is read as soon as somebody asks. */
  async function analyze(
    text: string,
    {
      changes = {},
      request,
      parse = parserOf(text),
    }: {
      changes?: Partial<StoredFile>
      request?: (sub: string, id: string) => Partial<Request>
      parse?: ParseDocument
    } = {},
  ) {
    const { sub, id, store, read } = await storeFile(changes)
    const startReading = vi.fn<(sub: string, ids: readonly string[]) => Promise<void>>(async () => {
      await read(parse).catch(() => undefined)
    })
    const deps = { files: readingRepository(table), store, startReading }
    const call = () =>
      analyzeDocument(deps, sub, {
        file: { id, name: 'a.txt' },
        analysisType: 'analyze',
        ...request?.(sub, id),
      })
    return { response: await call(), again: call, startReading }
  }

  it('DOC-07 is the beginning of what was read, with the length of all of it', async () => {
    const { response } = await analyze('ab'.repeat(5_000))
    expect(response).toMatchObject({
      success: true,
      analysis: `${'ab'.repeat(4_000)}\n\n[Content truncated due to length]`,
      error: null,
      hasActualContent: true,
      contentLength: 10_000,
      reading: { state: 'read', note: 'read in full' },
    })
  })

  it('starts a reading that nobody has begun, and answers from it afterwards', async () => {
    const { again, startReading } = await analyze('Text')
    expect(await again()).toMatchObject({ success: true, analysis: 'Text' })
    expect(startReading).toHaveBeenCalledOnce()
  })

  it('of a document that cannot be read says why', async () => {
    const { response } = await analyze('', { parse: async () => ({ problem: 'tooSlow' }) })
    expect(response).toMatchObject({
      success: false,
      code: 'too_slow',
      hasActualContent: false,
      contentLength: 0,
      reading: { state: 'unreadable', note: response.error },
    })
  })

  it('of a document that is not read in time says that it is being read', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const parse: ParseDocument = async () => {
      vi.advanceTimersByTime(60_000)
      throw new DocumentsUnavailable('busy')
    }
    const { response } = await analyze('', { parse })
    vi.useRealTimers()
    expect(response).toMatchObject({ success: false, code: 'still_reading', reading: { state: 'pending' } })
  })

  it('names a file by its id, or by its address', async () => {
    const { response } = await analyze('Text', {
      request: (sub, id) => ({
        userId: sub,
        file: { name: 'a.txt', url: `https://b.example/users/${sub}/${id}/original?X` },
      }),
    })
    expect(response).toMatchObject({ success: true })
  })

  it.each<[what: string, request: (sub: string, id: string) => Partial<Request>]>([
    ['no file', () => ({ file: { name: 'a.txt' } })],
    ['a file that is not there', () => ({ file: { name: 'a.txt', id: 'none' } })],
    ['an id that is none', (_, id) => ({ file: { name: 'a.txt', id: `${id}/../x` } })],
    ['an id before a line end', (_, id) => ({ file: { name: 'a.txt', id: `x ${id}` } })],
    [
      'a file of another user',
      (_, id) => ({ file: { name: 'a.txt', url: `https://b.example/users/other/${id}/original` } }),
    ],
  ])('for %s is refused', async (_, request) => {
    await expect(analyze('Text', { request })).rejects.toThrow(FileInaccessible)
  })

  it('of another user, or for an upload that is not complete, is refused', async () => {
    await expect(analyze('Text', { request: () => ({ userId: 'other' }) })).rejects.toThrow(OtherUser)
    await expect(analyze('Text', { changes: { state: 'incoming' } })).rejects.toThrow(FileInaccessible)
  })
})
