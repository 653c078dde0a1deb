import { expect, it, vi } from 'vitest'
import { openTableAndStore } from '../../test/support/table-and-store.ts'
import { deleteFile } from '../files/delete-files.ts'
import { textKey, vectorsKey } from '../files/file-links.ts'
import { fileRepository } from '../files/file-repository.ts'
import type { StoredFile } from '../files/file-row.ts'
import { decodeVectors } from '../files/search-index/vectors-format.ts'
import { encodeText } from '../files/stored-text.ts'
import { vectorsRepository } from '../files/vectors-repository.ts'
import { dailyUsageKey } from '../platform/dynamodb/usage-counters.ts'
import { readRow } from '../platform/dynamodb/rows.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { putObject } from '../platform/s3/object-writer.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import { ModelError, modelErrors } from '../models/model-errors.ts'
import type { UserBudgetLimits } from '../chat/user-budget.ts'
import { embeddingBudget } from './embedding-budget.ts'
import { embedDocument } from './embed-document.ts'

const table = await openTableAndStore('uploads')

/** Its vectors are made of the length of the text. */
const answers: EmbeddingModel['embed'] = async (texts) => ({
  vectors: texts.map(({ length }) => Float32Array.from([length, -length])),
  tokens: texts.length * 100,
})

async function storeText(text: string, changes: Partial<StoredFile> = {}) {
  const [sub, id] = [crypto.randomUUID(), crypto.randomUUID()]
  const files = fileRepository(table)
  const store = openObjectStore('uploads')
  const { bytes, parts } = encodeText(text)
  await putObject(store, { key: textKey(sub, id), body: bytes, type: 'text/plain' })
  await files.put(sub, {
    id,
    name: 'a.txt',
    type: 'text/plain',
    size: 5,
    state: 'ready',
    created_at: new Date().toISOString(),
    text: { characters: text.length, bytes: bytes.length, parts, languages: [], isIndexed: true },
    ...changes,
  })
  const embed = async (
    answer = answers,
    {
      tokensPerDay = 1e6,
      siteTokensPerDay,
      timeMs = 60_000,
      ...others
    }: Partial<UserBudgetLimits> & { siteTokensPerDay?: number; timeMs?: number } = {},
  ) => {
    const model = { name: 'm', embed: vi.fn<EmbeddingModel['embed']>(answer) }
    const user = { tokensPerDay, imagesPerDay: 0, ...others }
    const budget = embeddingBudget(table, async () => ({ user, siteTokensPerDay }))
    await embedDocument({ files: vectorsRepository(table), store, model, budget }, { sub, id }, timeMs)
    return model.embed
  }
  const stored = async () => {
    const bytesOfVectors = await store.read(vectorsKey(sub, id))
    return bytesOfVectors && decodeVectors(bytesOfVectors)
  }
  const countTokens = async () => {
    const row = await readRow(table, dailyUsageKey(sub, Math.floor(Date.now() / 86_400_000)))
    return { tokens: row?.['tokens'], input: row?.['input_tokens'] }
  }
  return { sub, id, files, store, embed, stored, countTokens }
}

const long = 'words of a text '.repeat(8_000)

it('stores vectors of the whole text beside it, and counts their tokens', async () => {
  const { embed, stored, files, sub, id, countTokens } = await storeText(`${'word '.repeat(200)}\n \n`)
  await embed()
  expect(await stored()).toMatchObject({ model: 'm', dimensions: 2, characters: 1_003, windows: [3] })
  expect([...((await stored())?.values ?? [])].slice(0, 2)).toEqual([127, -127])
  expect((await files.find(sub, id)).vectors_model).toBe('m')
  expect(await countTokens()).toEqual({ tokens: 300, input: 300 })
})

it('sends a long text in requests of 32, and makes no vectors twice', async () => {
  const { embed, stored } = await storeText(long)
  const requests = await embed()
  expect(Math.max(...requests.mock.calls.map(([texts]) => texts.length))).toBe(32)
  expect((await stored())?.windows.reduce((sum, one) => sum + one, 0)).toBe(
    requests.mock.calls.flatMap(([texts]) => texts).length,
  )
  expect(await embed()).not.toHaveBeenCalled()
})

it('makes them anew for another model', async () => {
  const { embed, stored } = await storeText('Text', { vectors_model: 'earlier' })
  await embed()
  expect(await stored()).toMatchObject({ model: 'm' })
})

it.each<[what: string, changes: Partial<StoredFile>]>([
  ['has no text', { text: undefined }],
  [
    'cannot be searched',
    { text: { characters: 4, bytes: 4, parts: [[0, 0]], languages: [], isIndexed: false } },
  ],
])('asks for nothing when a file %s', async (_, changes) => {
  const { embed, stored } = await storeText('Text', changes)
  expect(await embed()).not.toHaveBeenCalled()
  expect(await stored()).toBeUndefined()
})

it('leaves half of a day’s tokens to replies, and keeps what it has made by then', async () => {
  const { embed, stored, countTokens } = await storeText(long)
  await embed(answers, { tokensPerDay: 30_000 })
  expect((await stored())?.windows.length).toBeGreaterThan(0)
  expect((await countTokens()).tokens).toBeGreaterThan(14_000)
  expect((await countTokens()).tokens).toBeLessThanOrEqual(15_000)
  const { embed: embedLast, countTokens: countLast } = await storeText('Text')
  expect(await embedLast(answers, { siteTokensPerDay: 1 })).not.toHaveBeenCalled()
  expect((await countLast()).tokens).toBe(0)
})

it.each<[what: string, limits: Partial<UserBudgetLimits>]>([
  ['a few tokens a day', { tokensPerDay: 1_000 }],
  ['no tokens', { tokensPerDay: 0 }],
  ['a few tokens a month', { tokensPerMonth: 1_000 }],
  ['a limit of costs a day', { nanoUsdPerDay: 1e12 }],
  ['a limit of costs a month', { nanoUsdPerMonth: 1e12 }],
])('a long text of somebody who has %s leaves half of them to replies', async (_, limits) => {
  const { embed, countTokens } = await storeText(long)
  await embed(answers, limits)
  const most = 'nanoUsdPerDay' in limits || 'nanoUsdPerMonth' in limits ? 0 : 500
  expect((await countTokens()).tokens ?? 0).toBeLessThanOrEqual(most)
})

it('keeps what it has made when the server fails, and fails so that it is tried again', async () => {
  const { embed, stored, countTokens } = await storeText(long)
  let left = 6
  const failing: EmbeddingModel['embed'] = (texts, role, signal) =>
    left-- > 0 ? answers(texts, role, signal) : Promise.reject(new ModelError(modelErrors.key, 'refused'))
  await expect(embed(failing)).rejects.toThrow(ModelError)
  expect((await stored())?.windows.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(6 * 32)
  // a refused request is not billed
  expect((await countTokens()).tokens).toBe(6 * 3_200)
})

it('goes on where an attempt has ended, and pays for no text twice', async () => {
  const { embed, stored, files, sub, id, countTokens } = await storeText(long)
  let left = 6
  const failing: EmbeddingModel['embed'] = (texts, role, signal) =>
    left-- > 0 ? answers(texts, role, signal) : Promise.reject(new ModelError(modelErrors.key, 'refused'))
  await expect(embed(failing)).rejects.toThrow(ModelError)
  const first = await stored()
  const before = first?.windows.reduce((sum, one) => sum + one, 0) ?? 0
  expect(before).toBeGreaterThan(0)
  const again = await embed()
  const sent = again.mock.calls.flatMap(([texts]) => texts)
  const whole = await stored()
  expect(whole?.windows.reduce((sum, one) => sum + one, 0)).toBe(before + sent.length)
  expect(whole?.values.slice(0, first?.values.length)).toEqual(first?.values)
  expect(await files.find(sub, id)).not.toHaveProperty('vectors_due')
  // the texts behind the last whole passage were paid for, and not kept
  expect((await countTokens()).tokens).toBe(6 * 3_200 + sent.length * 100)
})

it('waits for hours once the budget leaves none, and goes on then', async () => {
  const { embed, files, sub, id, stored } = await storeText(long)
  await embed(answers, { tokensPerDay: 30_000 })
  const { vectors_due: due = 0 } = await files.find(sub, id)
  expect(due).toBeGreaterThan(Date.now() + 3_600_000)
  expect(await embed()).not.toHaveBeenCalled()
  vi.useFakeTimers({ now: due + 1, toFake: ['Date'] })
  expect(await embed()).toHaveBeenCalled()
  vi.useRealTimers()
  expect((await files.find(sub, id)).vectors_due).toBeUndefined()
  expect((await stored())?.windows.length).toBeGreaterThan(0)
})

it('remembers the vectors that it has when the text cannot be read', async () => {
  const { embed, store, files, sub, id, stored } = await storeText(long)
  await embed(answers, { tokensPerDay: 30_000 })
  await store.remove([textKey(sub, id)])
  vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] })
  expect(await embed()).not.toHaveBeenCalled()
  vi.useRealTimers()
  expect((await files.find(sub, id)).vectors_model).toBe('m')
  expect(await stored()).toBeDefined()
})

it('begins anew when the model of that name has other dimensions', async () => {
  const { embed, stored } = await storeText(long)
  await embed(answers, { tokensPerDay: 30_000 })
  vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] })
  const wider: EmbeddingModel['embed'] = async (texts) => ({
    vectors: texts.map(() => Float32Array.from([1, 2, 3])),
    tokens: texts.length,
  })
  await embed(wider)
  await embed(wider)
  vi.useRealTimers()
  expect(await stored()).toMatchObject({ dimensions: 3 })
})

it('is done by one at a time', async () => {
  const { embed } = await storeText('Text')
  const [one, other] = await Promise.all([embed(), embed()])
  expect(one.mock.calls.length + other.mock.calls.length).toBe(1)
})

interface Limits {
  texts?: number
  characters?: number
  message?: string
  status?: number
  isTooLong?: boolean
}

/** A server that takes no more texts in a request, and no longer ones. */
function limited({
  texts: most = 32,
  characters = 10_000,
  message = 'refused',
  status = 400,
  isTooLong = false,
}: Limits): EmbeddingModel['embed'] {
  const rejection = { status, message, code: '', type: '', param: '', isJson: true }
  return (texts, role, signal) =>
    texts.length <= most && texts.every(({ length }) => length <= characters)
      ? answers(texts, role, signal)
      : Promise.reject(
          new ModelError(isTooLong ? modelErrors.tooLong : modelErrors.refused, message, {
            rejection: rejection as unknown as ModelError['rejection'] & object,
          }),
        )
}

it.each<[how: string, limits: Limits]>([
  ['takes no long texts', { characters: 200 }],
  ['says so with 500', { characters: 200, status: 500, isTooLong: true }],
  // as reported of DashScope, whose newer models take ten: https://github.com/memodb-io/memobase/issues/142
  [
    'takes ten texts in a request',
    { texts: 10, message: 'batch size is invalid, it should not be larger than 10' },
  ],
  // of Ark: https://github.com/nowledge-co/community/issues/303
  [
    'takes ten, and says something else',
    { texts: 10, message: "This model's maximum context length is 10, but 32 is requested." },
  ],
  ['takes ten texts, and no long ones', { texts: 10, characters: 200, status: 422 }],
])('makes the vectors of a whole text by a server that %s', async (_, limits) => {
  const { embed, stored, countTokens } = await storeText(long)
  const requests = await embed(limited(limits))
  const taken = requests.mock.calls.filter(
    ([texts]) =>
      texts.length <= (limits.texts ?? 32) &&
      texts.every(({ length }) => length <= (limits.characters ?? 10_000)),
  )
  const whole = await stored()
  const sent = taken.flatMap(([texts]) => texts)
  expect(whole?.windows.reduce((sum, one) => sum + one, 0)).toBe(sent.length)
  expect(sent.length).toBeGreaterThan(250)
  // what was refused was not billed, and is asked for in another way for the rest of the text
  expect((await countTokens()).tokens).toBe(sent.length * 100)
  expect(requests.mock.calls.length - taken.length).toBeLessThanOrEqual(3 * 4)
})

it('gives up at a server that takes nothing', async () => {
  const { embed, stored } = await storeText(long)
  await expect(embed(limited({ texts: 0 }))).rejects.toThrow(ModelError)
  expect(await stored()).toBeUndefined()
})

it('leaves nothing of a file that is deleted meanwhile, or gone', async () => {
  const { embed, stored, files, store, sub, id } = await storeText('Text')
  await embed(async (texts, role, signal) => {
    await deleteFile({ files, store }, sub, id)
    return answers(texts, role, signal)
  })
  expect(await stored()).toBeUndefined()
  expect(await embed()).not.toHaveBeenCalled()
})

it('stores what it has when its time is over', async () => {
  const { embed, stored } = await storeText(long)
  expect(await embed(answers, { timeMs: 0 })).not.toHaveBeenCalled()
  expect(await stored()).toBeUndefined()
})
