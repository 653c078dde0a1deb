import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'

const objectMeta = z.object({
  key: z.string(),
  size: z.number(),
  etag: z.string(),
  type: z.string(),
  cacheControl: z.string().optional(),
  disposition: z.string().optional(),
  modifiedAtMs: z.number(),
  /** name of the file with the content */
  bytes: z.string(),
})
export type ObjectMeta = z.infer<typeof objectMeta>

export type ObjectHeaders = Pick<ObjectMeta, 'type' | 'cacheControl' | 'disposition'>

/** A file with content that is not an object yet. */
export interface StoredContent {
  size: number
  etag: string
  /** name of the file */
  bytes: string
}

/**
 * Objects of one bucket in a folder: a file with the bytes, then a record that names it, written to a temporary file and renamed.
 * A process killed at any moment leaves either the old object or the new one.
 */
export async function openObjectFiles(folder: string) {
  const records = join(folder, 'records')
  const contents = join(folder, 'contents')
  await Promise.all([records, contents].map((path) => mkdir(path, { recursive: true, mode: 0o700 })))
  const objects = new Map<string, ObjectMeta>()
  for (const name of await readdir(records)) {
    if (!name.endsWith('.json')) continue
    const meta = objectMeta.parse(JSON.parse(await readFile(join(records, name), 'utf8')))
    objects.set(meta.key, meta)
  }
  const known = new Set([...objects.values()].map(({ bytes }) => bytes))
  for (const name of await readdir(contents))
    if (!known.has(name)) await rm(join(contents, name), { force: true })

  const recordPath = (key: string) => join(records, `${createHash('sha256').update(key).digest('hex')}.json`)

  async function discard({ bytes }: Pick<StoredContent, 'bytes'>): Promise<void> {
    await rm(join(contents, bytes), { force: true })
  }

  return {
    find: (key: string) => objects.get(key),

    list: (prefix: string) =>
      [...objects.values()]
        .filter(({ key }) => key.startsWith(prefix))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1)),

    /** Stores bytes that are no object yet; what came is removed if they end early. */
    async receive(source: AsyncIterable<Buffer>) {
      const received: StoredContent = { size: 0, etag: '', bytes: randomUUID() }
      const hash = createHash('md5')
      const counted = async function* () {
        for await (const chunk of source) {
          received.size += chunk.length
          hash.update(chunk)
          yield chunk
        }
      }
      try {
        await pipeline(
          Readable.from(counted()),
          createWriteStream(join(contents, received.bytes), { mode: 0o600 }),
        )
      } catch (error) {
        await discard(received)
        throw error
      }
      received.etag = `"${hash.digest('hex')}"`
      return received
    },

    discard,

    async put(
      key: string,
      { size, etag, bytes }: StoredContent,
      headers: ObjectHeaders,
    ): Promise<ObjectMeta> {
      // `headers` may be all metadata of a copy's source, so the other fields come after it
      const meta: ObjectMeta = { ...headers, key, size, etag, bytes, modifiedAtMs: Date.now() }
      const record = recordPath(key)
      const fresh = `${record}.${randomUUID()}.new`
      await writeFile(fresh, JSON.stringify(meta), { mode: 0o600 })
      await rename(fresh, record)
      const before = objects.get(key)
      objects.set(key, meta)
      if (before) await discard(before)
      return meta
    },

    /** Concatenates the content of several uploads. The caller sets the ETag. */
    async concatenate(parts: readonly StoredContent[]): Promise<StoredContent> {
      const joined: StoredContent = { size: 0, etag: '', bytes: randomUUID() }
      const all = async function* () {
        for (const { bytes } of parts) yield* createReadStream(join(contents, bytes))
      }
      await pipeline(Readable.from(all()), createWriteStream(join(contents, joined.bytes), { mode: 0o600 }))
      joined.size = parts.reduce((sum, { size }) => sum + size, 0)
      return joined
    },

    /** Duplicates the bytes of an object, for a copy. */
    async duplicate({ size, etag, bytes }: ObjectMeta): Promise<StoredContent> {
      const copy = { size, etag, bytes: randomUUID() }
      await copyFile(join(contents, bytes), join(contents, copy.bytes))
      return copy
    },

    /** @param end inclusive */
    read: ({ bytes }: ObjectMeta, range?: { start: number; end: number }) =>
      createReadStream(join(contents, bytes), range),

    async remove(key: string): Promise<void> {
      const meta = objects.get(key)
      if (!meta) return
      await rm(recordPath(key), { force: true })
      objects.delete(key)
      await discard(meta)
    },
  }
}

export type ObjectFiles = Awaited<ReturnType<typeof openObjectFiles>>
