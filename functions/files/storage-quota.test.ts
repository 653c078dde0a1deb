import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { fileRepository } from './file-repository.ts'
import type { StoredFile } from './file-row.ts'

const table = await openTestTable()
afterAll(() => table.close())
afterEach(() => {
  vi.useRealTimers()
})

const MB = 1024 ** 2
// 10 MB
const files = fileRepository(table, 10 / 1024)
const newSub = () => crypto.randomUUID()
const buildFile = (changes: Partial<StoredFile> = {}): StoredFile => ({
  id: crypto.randomUUID(),
  name: 'film.mp4',
  type: 'video/mp4',
  size: 2 * MB,
  state: 'ready',
  created_at: new Date().toISOString(),
  ...changes,
})
const counterKey = (sub: string) => ({ PK: `U#${sub}`, SK: 'STORAGE' })
async function readCounter(sub: string) {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: counterKey(sub), ConsistentRead: true }),
  )
  return Number(Item?.['bytes'] ?? Number.NaN)
}
const storageFull = { status: 413, code: 'storage_full' }

it('stores only as much as the quota allows, however many uploads are announced at once (M4)', async () => {
  const sub = newSub()
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => files.put(sub, buildFile({ state: 'incoming' }))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: storageFull })
  expect(await readCounter(sub)).toBe(10 * MB)
  await files.put(newSub(), buildFile())
})

it('says how much is used and how to make room when the storage is full', async () => {
  const sub = newSub()
  await files.put(sub, buildFile({ size: 9 * MB }))
  await expect(files.put(sub, buildFile())).rejects.toMatchObject({
    ...storageFull,
    userMessage: expect.stringMatching(
      /^Your files, .*take up 9\.0 MB of 10\.0 MB,.*Delete some files/,
    ) as string,
  })
  await expect(files.requireSpace(sub, 2 * MB)).rejects.toMatchObject(storageFull)
  await files.requireSpace(sub, MB)
})

it('deleted files free their storage once, with their previews', async () => {
  const sub = newSub()
  const file = buildFile({ size: 7 * MB, preview: { type: 'image/png', size: 2 * MB } })
  await files.put(sub, file)
  await expect(files.put(sub, buildFile())).rejects.toMatchObject(storageFull)
  await Promise.all([files.remove(sub, [file.id]), files.remove(sub, [file.id])])
  expect(await readCounter(sub)).toBe(0)
  await files.put(sub, buildFile({ size: 10 * MB }))
})

it('an unfinished upload takes up storage for a day only', async () => {
  const sub = newSub()
  await files.put(sub, buildFile({ size: 9 * MB, state: 'incoming' }))
  await expect(files.put(sub, buildFile())).rejects.toMatchObject(storageFull)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_401_000 })
  await files.put(sub, buildFile())
  expect(await readCounter(sub)).toBe(2 * MB)
})

it('lists the used storage and the limit', async () => {
  const sub = newSub()
  const readyFile = buildFile()
  await files.put(sub, readyFile)
  await files.put(sub, buildFile({ state: 'incoming' }))
  expect(await files.listWithStorage(sub)).toMatchObject({
    files: [readyFile],
    storage: { used_bytes: 4 * MB, limit_bytes: 10 * MB },
  })
})

/** Holds the next request of this kind until `release` is called. */
function holdNext(isMatch: (command: object) => boolean) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const send = table.client.send.bind(table.client) as (command: object) => Promise<unknown>
  const spy = vi.spyOn(table.client, 'send').mockImplementation((async (command: object) => {
    if (isMatch(command)) {
      spy.mockImplementation(send as never)
      hold()
      await released
    }
    return send(command)
  }) as never)
  return { held, release, restore: () => spy.mockRestore() }
}

it.each([0, 120_000])(
  'a recount includes an upload that is being announced (%i ms after the last change)',
  async (idleMs) => {
    const sub = newSub()
    await files.put(sub, buildFile({ size: MB }))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + idleMs })
    const rowWrite = holdNext((command) => command instanceof PutCommand)
    const first = files.put(sub, buildFile({ size: 6 * MB, state: 'incoming' }))
    await rowWrite.held
    await expect(files.put(sub, buildFile({ size: 6 * MB, state: 'incoming' }))).rejects.toMatchObject(
      storageFull,
    )
    rowWrite.release()
    await first
    rowWrite.restore()
    expect(await readCounter(sub)).toBe(7 * MB)
  },
)

it.each([0, 120_000])(
  'a recount does not subtract a file that is being deleted twice (%i ms after the last change)',
  async (idleMs) => {
    const sub = newSub()
    const file = buildFile({ size: 9 * MB })
    await files.put(sub, file)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + idleMs })
    const subtraction = holdNext((command) => command instanceof UpdateCommand)
    const deletion = files.remove(sub, [file.id])
    await subtraction.held
    const others = [buildFile({ size: 6 * MB }), buildFile({ size: 4 * MB })]
    const [other] = await Promise.allSettled(others.map((one) => files.put(sub, one)))
    subtraction.release()
    await deletion
    subtraction.restore()
    const storedBytes = (await files.listAll(sub)).reduce((sum, { size }) => sum + size, 0)
    expect(await readCounter(sub)).toBeGreaterThanOrEqual(storedBytes)
    expect(other?.status).toBe(idleMs === 0 ? 'rejected' : 'fulfilled')
  },
)
