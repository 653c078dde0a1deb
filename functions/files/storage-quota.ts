import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { storageGbPerUser } from '#shared/limits.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { StorageFull } from './errors.ts'
import { fileOf, filesPrefix, type StoredFile } from './file-row.ts'

const bytesPerGb = 1024 ** 3

/** What a file takes up, its smaller copy included. */
export const storedBytes = ({ size, preview }: Pick<StoredFile, 'size' | 'preview'>): number =>
  size + (preview?.size ?? 0)

/** @param items rows of files; an upload that lapsed, and that the table has not deleted yet, counts no more */
export function sumStoredBytes(items: readonly Record<string, unknown>[], nowMs: number): number {
  const live = items.filter(({ ttl }) => ttl === undefined || Number(ttl) > nowMs / 1_000)
  return live.reduce((sum, item) => sum + storedBytes(fileOf(item)), 0)
}

/**
 * Counts the bytes of a user's files in one row, uploads that were announced included. The rows of the files are the truth: they
 * are added up again when the counter is missing, or says that there is no room, so what a crash or an upload that lapsed has left
 * in it costs nobody their space.
 * @param gb undefined: as shared/limits.ts has it
 */
export function storageQuota(table: Table, gb: number | undefined) {
  const { client, name: TableName } = table
  const limit = Math.floor((gb ?? storageGbPerUser) * bytesPerGb)
  const keyFor = (sub: string) => ({ PK: `U#${sub}`, SK: 'STORAGE' })

  /** @returns whether the bytes were counted, and whether that made the counter */
  async function add(sub: string, bytes: number): Promise<'added' | 'created' | 'full'> {
    const addIf = (condition: string, values: Record<string, number> = {}) =>
      updateIf(table, keyFor(sub), {
        update: 'ADD #bytes :bytes',
        condition,
        values: { ':bytes': bytes, ...values },
      })
    if (await addIf('#bytes <= :room', { ':room': limit - bytes })) return 'added'
    if (bytes <= limit && (await addIf('attribute_not_exists(#bytes)'))) return 'created'
    return 'full'
  }

  async function counted(sub: string): Promise<number | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: keyFor(sub), ConsistentRead: true }))
    return Item === undefined ? undefined : Number(Item['bytes'])
  }

  const sumRows = async (sub: string) =>
    sumStoredBytes(await queryAll(table, { partition: keyFor(sub).PK, prefix: filesPrefix }), Date.now())

  /** @returns what the files really take up; a counter that says something else is put right */
  async function recount(sub: string): Promise<number> {
    const before = await counted(sub)
    const bytes = await sumRows(sub)
    // who has counted meanwhile was right: the next refusal counts again
    if (before !== undefined && before !== bytes)
      await updateIf(table, keyFor(sub), {
        update: 'SET #bytes = :bytes',
        condition: '#bytes = :before',
        values: { ':bytes': bytes, ':before': before },
      })
    return bytes
  }

  /** Who made the counter adds the files that are older than it. @throws StorageFull when there was no room after all */
  async function addOlderFiles(sub: string, bytes: number): Promise<void> {
    const used = await sumRows(sub)
    if (used === 0) return
    await change(sub, used)
    if (used + bytes <= limit) return
    await change(sub, -bytes)
    throw new StorageFull({ used, limit })
  }

  const change = (sub: string, bytes: number) =>
    updateIf(table, keyFor(sub), {
      update: 'ADD #bytes :bytes',
      // a user whose account was erased meanwhile gets no new counter
      condition: 'attribute_exists(#bytes)',
      values: { ':bytes': bytes },
    })

  return {
    limit,

    /** Counts a file before its row is there. @throws StorageFull */
    async reserve(sub: string, bytes: number): Promise<void> {
      const result = await add(sub, bytes)
      if (result === 'created') return addOlderFiles(sub, bytes)
      if (result === 'added') return
      const used = await recount(sub)
      if ((await add(sub, bytes)) === 'full') throw new StorageFull({ used, limit })
    },

    /** @throws StorageFull when so much more would not fit */
    async requireRoom(sub: string, bytes: number): Promise<void> {
      const fits = (used: number | undefined) => used !== undefined && used + bytes <= limit
      if (fits(await counted(sub))) return
      const used = await recount(sub)
      if (!fits(used)) throw new StorageFull({ used, limit })
    },

    /** Files are deleted. */
    async release(sub: string, bytes: number): Promise<void> {
      if (bytes > 0) await change(sub, -bytes)
    },
  }
}
