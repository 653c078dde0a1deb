import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { startTestStore } from '../../test/support/test-store.ts'
import { extractionRepository } from '../files/extraction-repository.ts'
import { fileRepository } from '../files/file-repository.ts'
import { deleteFile } from '../files/delete-files.ts'
import { textKey } from '../files/file-links.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { rateLimit } from '../platform/http/rate-limit.ts'
import { analysisBudget, analyzeDocument } from './analyze-document.ts'
import { FileInaccessible } from './errors.ts'

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
