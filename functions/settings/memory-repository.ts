import { sayAccount } from '#shared/sentences/account.ts'
import * as z from 'zod'
import { memory, type Memory } from '#shared/contracts/memory.ts'
import { maxMemories, maxMemoryCharacters } from '#shared/limits.ts'
import { readRow, deleteRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { BadRequest } from '../platform/errors.ts'
import { sanitizeLine } from '../platform/sanitize-line.ts'
import { MemoryChanged, MemoryNotFound, TooManyMemories } from './errors.ts'

const key = (sub: string) => ({ PK: `U#${sub}`, SK: 'MEMORIES' })

export const createMemoryId = () => crypto.randomUUID().slice(0, 8)

const row = z.object({ memories: z.record(z.string(), memory.omit({ id: true })).default({}) })

function toText(text: string): string {
  const line = sanitizeLine(text, maxMemoryCharacters)
  if (line === '') throw new BadRequest(sayAccount('bad_request.empty_memory'))
  return line
}

/**
 * What the assistant remembers of a user: one row, so that a reply reads it along with the user's settings, and the limit holds for
 * concurrent additions. Each write changes one entry, so that two devices overwrite nothing of each other.
 */
export const memoryRepository = (table: Table) => {
  /** Oldest first. New ones are added at the end, so that the prompt's beginning stays the same. */
  async function list(sub: string): Promise<Memory[]> {
    const item = await readRow(table, key(sub))
    return Object.entries(row.parse(item ?? {}).memories)
      .map(([id, entry]) => ({ id, ...entry }))
      .toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id))
  }

  const find = async (sub: string, id: string) => (await list(sub)).find((one) => one.id === id)

  const insert = (sub: string, { id, ...entry }: Memory) =>
    updateIf(table, key(sub), {
      update: 'SET memories.#id = :entry',
      condition: 'attribute_not_exists(memories.#id) AND size(memories) < :most',
      names: { '#id': id },
      values: { ':entry': entry, ':most': maxMemories },
    })

  const createRow = (sub: string) =>
    updateIf(table, key(sub), {
      update: 'SET memories = :none',
      condition: 'attribute_not_exists(memories)',
      values: { ':none': {} },
    })

  return {
    list,

    /**
     * Adds a memory. The same addition again changes nothing.
     * @param signal of a reply: aborted when its run is gone, as it is before an erasure deletes the row, which then must not come back
     * @throws BadRequest, TooManyMemories; MemoryChanged if the id has another text
     */
    async add(sub: string, { id, text }: Pick<Memory, 'id' | 'text'>, signal?: AbortSignal): Promise<Memory> {
      const added = { id, text: toText(text), version: 1, created_at: new Date().toISOString() }
      if (await insert(sub, added)) return added
      signal?.throwIfAborted()
      await createRow(sub)
      if (await insert(sub, added)) return added
      const found = await find(sub, id)
      if (!found) throw new TooManyMemories('no room for another memory')
      if (found.text !== added.text) throw new MemoryChanged(`${id} has another text`)
      return found
    },

    /** Replaces the text of this version. The same change again changes nothing. @throws BadRequest, MemoryChanged, MemoryNotFound */
    async update(sub: string, id: string, change: Pick<Memory, 'text' | 'version'>): Promise<Memory> {
      const text = toText(change.text)
      const version = change.version + 1
      await updateIf(table, key(sub), {
        update: 'SET memories.#id.#text = :text, memories.#id.#version = :version',
        condition: 'memories.#id.#version = :before',
        names: { '#id': id },
        values: { ':text': text, ':version': version, ':before': change.version },
      })
      const found = await find(sub, id)
      if (!found) throw new MemoryNotFound(`no memory ${id}`)
      if (found.text !== text || found.version !== version)
        throw new MemoryChanged(`${id} has a newer version`)
      return found
    },

    /** Succeeds if it does not exist (any more). */
    async remove(sub: string, id: string): Promise<void> {
      await updateIf(table, key(sub), {
        update: 'REMOVE memories.#id',
        condition: 'attribute_exists(memories.#id)',
        names: { '#id': id },
      })
    },

    async clear(sub: string): Promise<void> {
      await deleteRow(table, key(sub))
    },
  }
}

export type MemoryRepository = ReturnType<typeof memoryRepository>
