import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod'
import { OperatorError } from '../../aws/operator-error.ts'
import type { BackupStore } from './backup-store.ts'

/*
 * A backup has parts (lines of JSON, compressed), objects, and at its end a manifest, without which it is not complete. Until then
 * `progress.json` says how far it is.
 */

/** Version of the format of backups. */
const format = 1
const manifestName = 'manifest.json'
const progressName = 'progress.json'
/** name of an object's copy */
export const toObjectName = (key: string) => `objects/${key}`

const partKinds = ['rows', 'objects', 'groups', 'users'] as const
export type PartKind = (typeof partKinds)[number]

const part = z.object({
  name: z.string().regex(/^[a-z]+-\d+(?:-\d+)?\.jsonl\.gz$/),
  kind: z.enum(partKinds),
  lines: z.number().int(),
  /** compressed */
  bytes: z.number().int(),
  sha256: z.string(),
})
export type Part = z.output<typeof part>

const contents = z.object({
  format: z.literal(format),
  /** version of the product that made it */
  product: z.string(),
  source: z.object({ table: z.string(), bucket: z.string(), pool: z.string() }),
  /** rows are read by a scan, one after the other, and not as of one moment */
  consistency: z.literal('scan'),
  /** ISO 8601 */
  begun_at: z.string(),
  parts: z.array(part),
  /** rows by kind */
  rows: z.record(z.string(), z.number()),
  /** rows that are in the table and not in the backup, by kind */
  left_out: z.record(z.string(), z.number()),
  objects: z.object({ count: z.number(), bytes: z.number() }),
  users: z.number(),
  groups: z.number(),
  /** SHA-256 of the ids of people who were erased from it, or were being erased: none of them is restored */
  forgotten: z.array(z.string()),
})
export type Contents = z.output<typeof contents>

/** A complete backup. */
const manifest = contents.extend({ ended_at: z.string() })
export type Manifest = z.output<typeof manifest>

const progress = contents.extend({
  step: z.enum(['rows', 'objects', 'users']),
  /** where the step goes on: a key of the table, or of an object */
  cursor: z.unknown().optional(),
  /** the run of the command that writes it; the later one of two goes on */
  run: z.string().optional(),
})
export type Progress = z.output<typeof progress>

/** The progress of a backup that begins. */
export const newProgress = (source: Contents['source'], product: string, now: Date): Progress => ({
  format,
  product,
  source,
  consistency: 'scan',
  begun_at: now.toISOString(),
  parts: [],
  rows: {},
  left_out: {},
  objects: { count: 0, bytes: 0 },
  users: 0,
  groups: 0,
  forgotten: [],
  step: 'rows',
})

/** Of rows by kind, how many there are in all. */
export const sumCounts = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)

/** How the manifest names a person whose account was erased: SHA-256 of the `sub`, in hex. */
export const hashPerson = (sub: string): string => createHash('sha256').update(sub).digest('hex')

const toBytes = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

async function readJson(store: BackupStore, name: string): Promise<unknown> {
  const body = await store.read(name)
  return body && JSON.parse((await buffer(body)).toString('utf8'))
}

/**
 * Reads the manifest.
 * @returns undefined without one
 * @throws OperatorError for a format that this version cannot read
 */
export async function findManifest(store: BackupStore): Promise<Manifest | undefined> {
  const found = await readJson(store, manifestName)
  if (found === undefined) return undefined
  const parsed = manifest.safeParse(found)
  if (parsed.success) return parsed.data
  throw new OperatorError(
    `The manifest of ${store.place} cannot be read by this version: it is damaged, or of a later version.`,
    { cause: parsed.error },
  )
}

/** @throws OperatorError unless the backup is complete */
export async function loadManifest(store: BackupStore): Promise<Manifest> {
  const found = await findManifest(store)
  if (found) return found
  throw new OperatorError(
    `There is no complete backup in ${store.place}. One that was interrupted goes on when npm run backup is run again with the same --out.`,
  )
}

/** Writes the manifest, which completes a backup, and removes its progress. */
export async function writeManifest(store: BackupStore, value: Manifest): Promise<void> {
  const bytes = toBytes(manifest.parse(value))
  await store.write(manifestName, bytes, bytes.length)
  await store.remove(progressName)
}

/** @throws OperatorError when it cannot be read */
export async function findProgress(store: BackupStore): Promise<Progress | undefined> {
  const found = await readJson(store, progressName)
  if (found === undefined) return undefined
  const parsed = progress.safeParse(found)
  if (parsed.success) return parsed.data
  throw new OperatorError(
    `${store.place} has a backup that this version cannot continue. Name another place.`,
  )
}

/** @throws OperatorError when another run has gone on with the backup, or has completed it */
export async function requireOwnProgress(store: BackupStore, { run }: Pick<Progress, 'run'>): Promise<void> {
  if ((await findProgress(store))?.run !== run)
    throw new OperatorError(`Another run writes the backup in ${store.place}, or has completed it.`)
}

/** Stores how far a backup has come, so that it can be continued. */
export async function writeProgress(store: BackupStore, value: Progress): Promise<void> {
  const bytes = toBytes(value)
  await store.write(progressName, bytes, bytes.length)
}

/** Writes lines as a part. @param revision of a part that replaces another */
export async function writePart(
  store: BackupStore,
  { kind, number, revision }: { kind: PartKind; number: string; revision?: number },
  lines: readonly unknown[],
): Promise<Part> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const bytes = await promisify(gzip)(text)
  const name = `${kind}-${number}${revision === undefined ? '' : `-${revision}`}.jsonl.gz`
  await store.write(name, bytes, bytes.length)
  return { name, kind, lines: lines.length, bytes: bytes.length, sha256: sha256(bytes) }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Reads a part. @throws OperatorError when it is missing, or is not what was written */
export async function readPart(store: BackupStore, expected: Part): Promise<unknown[]> {
  const body = await store.read(expected.name)
  const bytes = body && (await buffer(body))
  if (!bytes || sha256(bytes) !== expected.sha256)
    throw new OperatorError(
      `${expected.name} of ${store.place} ${bytes ? 'is damaged' : 'is missing'}: its checksum is not that of the manifest. Nothing is restored from this backup.`,
    )
  const lines = (await promisify(gunzip)(bytes)).toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown)
}

/** The parts of a kind, in the order in which they were written. */
export const listParts = ({ parts }: Pick<Contents, 'parts'>, kind: PartKind): Part[] =>
  parts.filter((one) => one.kind === kind)

export const objectLine = z.object({
  key: z.string().regex(/^(?:users|published)\/[^/]+\/./),
  size: z.number().int(),
  sha256: z.string(),
  /** as S3 has them */
  type: z.string().optional(),
  cacheControl: z.string().optional(),
})
export type ObjectLine = z.output<typeof objectLine>

export const groupLine = z.object({
  /** as the pool has it */
  name: z.string(),
  description: z.string().optional(),
  precedence: z.number().optional(),
})

export const userLine = z.object({
  sub: z.string(),
  username: z.string(),
  attributes: z.record(z.string(), z.string()),
  enabled: z.boolean(),
  /** of Cognito: CONFIRMED, UNCONFIRMED … */
  status: z.string(),
  groups: z.array(z.string()),
})
export type UserLine = z.output<typeof userLine>

/**
 * Reads all of an object's copy.
 * @throws OperatorError when it is missing, or is not what was written
 */
export async function checkObject(
  store: BackupStore,
  { key, size, sha256: expected }: Pick<ObjectLine, 'key' | 'size' | 'sha256'>,
): Promise<void> {
  const body = await store.read(toObjectName(key))
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of (body ?? []) as Readable | Buffer[]) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  if (!body || bytes !== size || hash.digest('hex') !== expected)
    throw new OperatorError(`The copy of ${key} in ${store.place} ${body ? 'is damaged' : 'is missing'}.`)
}
