import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { maxFileBytes } from '#shared/limits.ts'
import { openTestTable } from '../../test/support/table.ts'
import { startTestStore } from '../../test/support/test-store.ts'
import { extractionRepository } from '../files/extraction-repository.ts'
import { fileRepository } from '../files/file-repository.ts'
import { deleteFile } from '../files/delete-files.ts'
import { textKey } from '../files/file-links.ts'
import type { StoredFile } from '../files/file-row.ts'
import { maxExtractedCharacters } from '../platform/limits.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { rateLimit } from '../platform/http/rate-limit.ts'
import { analysisBudget, analyzeDocument } from './analyze-document.ts'
import { FileInaccessible, OtherUser } from './errors.ts'

const bucket = 'uploads'
let storeEmulator: Awaited<ReturnType<typeof startTestStore>>
let table: Awaited<ReturnType<typeof openTestTable>>

beforeAll(async () => {
  storeEmulator = await startTestStore(bucket)
  table = await openTestTable()
})
beforeEach(() => {
  for (const [name, value] of Object.entries(storeEmulator.variables)) vi.stubEnv(name, value)
})
afterAll(async () => {
  await storeEmulator.close()
  await table.close()
})

async function startAnalysis(
  meanwhile: (sub: string, id: string) => Promise<void>,
  { sub = crypto.randomUUID(), factor = 1 } = {},
) {
  const id = crypto.randomUUID()
  const store = openObjectStore(bucket)
  const file = { id, name: 'a.txt', type: 'text/plain', size: 5, state: 'ready' as const }
  await fileRepository(table).put(sub, { ...file, created_at: new Date().toISOString() })
  const parse = async () => {
    await meanwhile(sub, id)
    return { extracted: { text: 'what it says', length: 12 } }
  }
  const countAnalysis = (user: string) => rateLimit(table, factor).countIn(user, analysisBudget)
  const response = analyzeDocument({ files: extractionRepository(table), store, parse, countAnalysis }, sub, {
    file: { id, name: 'a.txt' },
    analysisType: 'analyze',
  })
  return { response, readStored: () => store.read(textKey(sub, id)) }
}

it('stores the text beside the document', async () => {
  const { response, readStored } = await startAnalysis(async () => undefined)
  await expect(response).resolves.toMatchObject({ success: true })
  expect(Buffer.from((await readStored()) ?? []).toString()).toBe('what it says')
})

it('leaves no text of a document that was deleted while it was read', async () => {
  const { response, readStored } = await startAnalysis((sub, id) =>
    deleteFile({ files: fileRepository(table), store: openObjectStore(bucket) }, sub, id),
  )
  await expect(response).rejects.toThrow(FileInaccessible)
  expect(await readStored()).toBeUndefined()
})

it('limits how many documents of a user are read per day, because each takes a function for up to 27 s', async () => {
  const sub = crypto.randomUUID()
  const onParse = vi.fn<() => Promise<void>>(async () => undefined)
  // one analysis a day instead of a thousand
  const options = { sub, factor: 0.001 }
  await (
    await startAnalysis(onParse, options)
  ).response
  const { response } = await startAnalysis(onParse, options)
  await expect(response).rejects.toMatchObject({
    status: 429,
    code: 'too_many_analyses',
    retryAfterSeconds: expect.any(Number) as number,
  })
  expect(onParse).toHaveBeenCalledOnce()
  await (
    await startAnalysis(onParse, { factor: 0.001 })
  ).response
})

describe('a request', () => {
  type Parsed = Awaited<ReturnType<Parameters<typeof analyzeDocument>[0]['parse']>>
  type Request = Parameters<typeof analyzeDocument>[2]

  async function analyze({
    file = {},
    parsed = { extracted: { text: 'what it says', length: 12 } },
    request,
    countAnalysis = async () => undefined,
  }: {
    file?: Partial<StoredFile>
    parsed?: Parsed
    request?: (sub: string, id: string) => Partial<Request>
    countAnalysis?: () => Promise<void>
  }) {
    const [sub, id] = [crypto.randomUUID(), crypto.randomUUID()]
    const store = openObjectStore(bucket)
    await fileRepository(table).put(sub, {
      id,
      name: 'a.txt',
      type: 'text/plain',
      size: 5,
      state: 'ready',
      created_at: new Date().toISOString(),
      ...file,
    })
    const parse = vi.fn<(request: { url: string; kind: string }) => Promise<Parsed>>(async () => parsed)
    const deps = { files: extractionRepository(table), store, parse, countAnalysis }
    const response = await analyzeDocument(deps, sub, {
      file: { id, name: 'a.txt' },
      analysisType: 'analyze',
      ...request?.(sub, id),
    })
    const stored = await store.read(textKey(sub, id))
    const row = await fileRepository(table).find(sub, id)
    return { response, parse, stored: stored && Buffer.from(stored).toString(), row, sub, id }
  }

  it('names a file by its id, or by its address', async () => {
    const byAddress = await analyze({
      request: (sub, id) => ({
        file: { name: 'a.txt', url: `https://b.example/users/${sub}/${id}/original?X` },
      }),
    })
    expect(byAddress.response).toMatchObject({ success: true })
    expect(byAddress.parse.mock.calls).toEqual([
      [
        {
          kind: 'unknown',
          url: expect.stringContaining(`/users/${byAddress.sub}/${byAddress.id}/original?`) as string,
        },
      ],
    ])
    const same = await analyze({ request: (sub) => ({ userId: sub }) })
    expect(same.response).toMatchObject({ success: true })
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
    await expect(analyze({ request })).rejects.toThrow(FileInaccessible)
  })

  it('of another user is refused', async () => {
    await expect(analyze({ request: () => ({ userId: 'other' }) })).rejects.toThrow(OtherUser)
  })

  it('for an upload that is not completed, or whose object is gone, is refused', async () => {
    await expect(analyze({ file: { state: 'incoming' } })).rejects.toThrow(FileInaccessible)
    await expect(analyze({ parsed: { missing: true } })).rejects.toThrow(FileInaccessible)
  })

  it.each<[what: string, file: Partial<StoredFile>]>([
    ['of a kind that is not read', { name: 'a.mp4', type: 'video/mp4' }],
    ['that is too large', { size: maxFileBytes + 1 }],
  ])('for a file %s is answered, and neither read nor counted', async (_, file) => {
    const countAnalysis = vi.fn<() => Promise<void>>()
    const { response, parse } = await analyze({ file, countAnalysis })
    expect(response).toMatchObject({ success: false, code: 'unsupported' })
    expect(parse).not.toHaveBeenCalled()
    expect(countAnalysis).not.toHaveBeenCalled()
  })

  it('for a file of the maximum size is answered', async () => {
    expect((await analyze({ file: { size: maxFileBytes } })).response).toMatchObject({ success: true })
  })

  it('for a file that cannot be read says why, and stores no text', async () => {
    const { response, stored, row } = await analyze({ parsed: { problem: 'tooSlow' } })
    expect(response).toMatchObject({ success: false, code: 'too_slow' })
    expect(stored).toBeUndefined()
    expect(row).toMatchObject({ reading: { status: 'failed' } })
  })

  it('for a file without content stores no text', async () => {
    const { response, stored, row } = await analyze({ parsed: { extracted: { text: ' -- ', length: 4 } } })
    expect(response).toMatchObject({ success: false, code: 'no_content' })
    expect([stored, row.extracted_text ?? '']).toEqual([undefined, ''])
  })

  it('stores the whole text as an object, and its beginning in the row', async () => {
    const text = 'é'.repeat(maxExtractedCharacters + 1)
    const { stored, row } = await analyze({ parsed: { extracted: { text, length: text.length } } })
    expect(stored).toBe(text)
    expect(row.extracted_text).toBe(text.slice(1))
  })
})
