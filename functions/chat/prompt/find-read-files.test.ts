import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aReadDocument, anUnreadableDocument } from '../../../test/support/read-documents.ts'
import type { FileRepository } from '../../files/file-repository.ts'
import type { ReadingWait } from '../../files/file-links.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import { waitLimitsMs } from '../../platform/wait-limits.ts'
import { findReadFiles } from './find-read-files.ts'

const waits = vi.hoisted(() => ({ count: 0 }))
vi.mock('../../platform/clock.ts', () => ({
  wait: async (ms: number) => {
    waits.count += 1
    vi.advanceTimersByTime(ms)
  },
}))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  waits.count = 0
  return () => void vi.useRealTimers()
})

/** As an earlier version left it, or before its reading has ended. */
function unread(id: string): StoredFile {
  const { reader_version: _, text: __, ...file } = aReadDocument(id, 'Text')
  return file
}

/** @param readings what the rows are at each look after the first */
async function find(first: StoredFile[], ...readings: StoredFile[][]) {
  return findWith(undefined, first, ...readings)
}

async function findWith(
  readingWait: ReadingWait | undefined,
  first: StoredFile[],
  ...readings: StoredFile[][]
) {
  const looks: string[][] = []
  const findMany: FileRepository['findMany'] = async (_, ids) => {
    const rows = looks.length === 0 ? first : (readings[Math.min(looks.length, readings.length) - 1] ?? first)
    looks.push([...ids])
    return new Map(rows.filter(({ id }) => ids.includes(id)).map((file) => [file.id, file]))
  }
  const startReading = vi.fn<(sub: string, ids: readonly string[]) => Promise<void>>(async () => undefined)
  const files = { findMany } as unknown as FileRepository
  const found = await findReadFiles(
    { files, startReading, ...(readingWait && { readingWait }) },
    'ann',
    first.map(({ id }) => id),
  )
  return { found, looks, started: startReading.mock.calls.map(([, ids]) => ids) }
}

const image: StoredFile = { ...unread('image'), name: 'a.png', type: 'image/png' }

it.each<[string, StoredFile[]]>([
  ['no files', []],
  ['documents that were read', [aReadDocument('a', 'Text'), anUnreadableDocument('b', 'It is locked.')]],
  ['what is no document, or not complete', [image, { ...unread('b'), state: 'incoming' }]],
])('starts and awaits nothing for %s', async (_, files) => {
  const { found, started } = await find(files)
  expect([[...found.values()], started, waits.count]).toEqual([files, [], 0])
})

it('starts the reading of each document that was not read, an earlier version’s too, and waits for all', async () => {
  const done = aReadDocument('done', 'Text')
  const [a, b] = [aReadDocument('a', 'One'), aReadDocument('b', 'Two')]
  const { found, looks, started } = await find([done, unread('a'), image, unread('b')], [a, unread('b')], [b])
  expect(started).toEqual([['a', 'b']])
  expect(looks).toEqual([['done', 'a', 'image', 'b'], ['a', 'b'], ['b']])
  expect([found.get('a'), found.get('b'), found.get('done')]).toEqual([a, b, done])
})

it('waits half a minute at most, wherever the clock stands: what is not read then is pending', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(0)
  const startedAtMs = performance.now()
  const { found } = await find([unread('a')])
  expect(found.get('a')).toEqual(unread('a'))
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(waitLimitsMs.readingAgain)
  expect(performance.now() - startedAtMs).toBeLessThan(waitLimitsMs.readingAgain + 1_000)
})

it('a reading that another reader has claimed is waited for, and not begun twice', async () => {
  const [a, b] = [aReadDocument('a', 'One'), aReadDocument('b', 'Two')]
  const claimed = { ...unread('a'), reading_until: Date.now() + 60_000 }
  const lapsed = { ...unread('b'), reading_until: Date.now() - 1 }
  expect((await find([claimed, lapsed], [a, b])).started).toEqual([['b']])
})

describe('the wait of a reply', () => {
  const [a, b] = [aReadDocument('a', 'One'), aReadDocument('b', 'Two')]
  const listen = (changes: Partial<ReadingWait> = {}) => {
    const heard: [string, boolean][] = []
    const wait: ReadingWait = {
      endsAtMs: performance.now() + 60_000,
      signal: new AbortController().signal,
      onReading: (file) => heard.push([file.id, isRead(file)]),
      ...changes,
    }
    return { heard, wait }
  }

  it('tells of each document, when it begins and when it is read', async () => {
    const { heard, wait } = listen()
    await findWith(
      wait,
      [aReadDocument('done', 'Text'), image, unread('a'), unread('b')],
      [a, unread('b')],
      [b],
    )
    expect(heard).toEqual([
      ['done', true],
      ['a', false],
      ['b', false],
      ['a', true],
      ['b', true],
    ])
  })

  it.each<[string, (now: number) => Partial<ReadingWait>]>([
    ['its time is over', (now) => ({ endsAtMs: now })],
    ['the reply is stopped', () => ({ signal: AbortSignal.abort() })],
  ])('ends when %s', async (_, changes) => {
    const { wait } = listen(changes(performance.now()))
    const { found } = await findWith(wait, [unread('a')], [a])
    expect([waits.count, found.get('a')]).toEqual([0, unread('a')])
  })
})

it('does not wait for a document that is deleted meanwhile', async () => {
  const { looks } = await find([unread('a')], [])
  expect(looks).toHaveLength(2)
})
