import {
  type CognitoIdentityProviderClient,
  paginateListGroups,
  paginateListUsers,
} from '@aws-sdk/client-cognito-identity-provider'
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, ListObjectsV2Command, NoSuchKey, type S3Client } from '@aws-sdk/client-s3'
import { createHash, randomUUID } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { poolGroups } from '../../../functions/platform/auth/pool-groups.ts'
import { toPoolGroupName } from '#shared/group-names.ts'
import { OperatorError } from '../../aws/operator-error.ts'
import type { BackupStore } from './backup-store.ts'
import { decodeItem, encodeItem, type Item } from './items.ts'
import {
  findManifest,
  findProgress,
  hashPerson,
  type Manifest,
  newProgress,
  requireOwnProgress,
  type ObjectLine,
  type Part,
  type PartKind,
  type Progress,
  sumCounts,
  toObjectName,
  type UserLine,
  writeManifest,
  writePart,
  writeProgress,
} from './manifest.ts'
import { findRowKind, readKey } from './row-kinds.ts'

/** What a backup is made of, and restored into. */
export interface ProductStores {
  readonly table: { readonly client: DynamoDBClient; readonly name: string }
  readonly bucket: { readonly client: S3Client; readonly name: string }
  readonly pool: { readonly client: CognitoIdentityProviderClient; readonly id: string }
}

interface BackupOptions {
  /** version of the product */
  readonly product: string
  readonly now: () => Date
  readonly report: (line: string) => void
}

/** Of the lines of a part, before they are compressed. */
const partBytes = 8 * 1024 * 1024
const objectsPerPart = 200
const copiesAtOnce = 8
/** Cognito allows few of these calls a second. */
const lookUpsAtOnce = 4
/** Users' finished files, and texts of assistants; what is being uploaded, and exports, end by themselves. */
const prefixes = ['users/', 'published/'] as const

/**
 * Writes one self-contained backup; one that was interrupted goes on where it was. Rows come before objects, so that an object of a row
 * is missing only if it was deleted meanwhile, and accounts come last: nothing returns of people who were erased before the end.
 * @throws OperatorError when there is a complete backup already, or a begun one of another deployment, or when another run writes there
 */
export async function createBackup(
  stores: ProductStores,
  store: BackupStore,
  { product, now, report }: BackupOptions,
): Promise<Manifest> {
  if (await findManifest(store))
    throw new OperatorError(`${store.place} has a complete backup already. Name another place for a new one.`)
  const source = { table: stores.table.name, bucket: stores.bucket.name, pool: stores.pool.id }
  const unfinished = await findProgress(store)
  if (unfinished && JSON.stringify(unfinished.source) !== JSON.stringify(source))
    throw new OperatorError(
      `${store.place} has a backup of another deployment that was begun. Name another place.`,
    )
  if (unfinished) report(`Going on with the backup that was begun at ${unfinished.begun_at}.`)
  const progress = { ...(unfinished ?? newProgress(source, product, now())), run: randomUUID() }
  // of two runs at once, the earlier one ends with its next part
  await writeProgress(store, progress)

  if (progress.step === 'rows') await backUpRows(stores, store, progress, report)
  if (progress.step === 'objects') await backUpObjects(stores, store, progress, report)
  await backUpAccounts(stores, store, progress)
  const { step: _, cursor: __, run: ___, ...contents } = progress
  const manifest = { ...contents, ended_at: now().toISOString() }
  await requireOwnProgress(store, progress)
  await writeManifest(store, manifest)
  return manifest
}

/** Adds a part, and says in the store how far the backup is. A part that was written before an interruption is written again. */
async function addPart(
  store: BackupStore,
  progress: Progress,
  kind: PartKind,
  lines: readonly unknown[],
  next: Pick<Progress, 'step' | 'cursor'>,
): Promise<void> {
  await requireOwnProgress(store, progress)
  if (lines.length > 0) {
    const number = String(progress.parts.filter((one) => one.kind === kind).length + 1).padStart(5, '0')
    progress.parts.push(await writePart(store, { kind, number }, lines))
    await requireOwnProgress(store, progress)
  }
  progress.step = next.step
  progress.cursor = next.cursor
  await writeProgress(store, progress)
}

async function backUpRows(
  { table: { client, name } }: ProductStores,
  store: BackupStore,
  progress: Progress,
  report: BackupOptions['report'],
): Promise<void> {
  let lines: unknown[] = []
  let bytes = 0
  let start =
    progress.cursor === undefined ? undefined : decodeItem(progress.cursor as Record<string, unknown>)
  do {
    const page = await client.send(
      new ScanCommand({ TableName: name, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
    )
    for (const item of page.Items ?? []) {
      const line = takeRow(item, progress)
      if (!line) continue
      lines.push(line)
      bytes += JSON.stringify(line).length
    }
    start = page.LastEvaluatedKey
    if (start && bytes < partBytes) continue
    await addPart(store, progress, 'rows', lines, {
      step: start ? 'rows' : 'objects',
      cursor: start && encodeItem(start),
    })
    report(`${sumCounts(progress.rows)} rows.`)
    lines = []
    bytes = 0
  } while (start)
}

/** @returns the line of a row; undefined if it is left out */
function takeRow(item: Item, progress: Progress): unknown {
  const kind = findRowKind(item)
  const name = kind?.name ?? 'unknown'
  const { PK, SK } = readKey(item)
  if (PK.startsWith('U#') && SK === 'ERASE') progress.forgotten.push(hashPerson(PK.slice('U#'.length)))
  const counts = kind?.leftOut === undefined ? progress.rows : progress.left_out
  counts[name] = (counts[name] ?? 0) + 1
  return kind?.leftOut === undefined ? encodeItem(item) : undefined
}

async function backUpObjects(
  { bucket: { client, name: Bucket } }: ProductStores,
  store: BackupStore,
  progress: Progress,
  report: BackupOptions['report'],
): Promise<void> {
  const after = typeof progress.cursor === 'string' ? progress.cursor : ''
  // prefixes in the order of keys
  for (const Prefix of [...prefixes].toSorted()) {
    let StartAfter: string | undefined = after > Prefix ? after : undefined
    if (after !== '' && !after.startsWith(Prefix) && after > Prefix) continue
    for (;;) {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix, StartAfter, MaxKeys: objectsPerPart }),
      )
      const keys = (page.Contents ?? []).map(({ Key = '' }) => Key)
      const copies = await mapAtOnce(keys, copiesAtOnce, (key) => copyObject(client, Bucket, key, store))
      const lines = copies.filter((one) => one !== undefined)
      progress.objects.count += lines.length
      progress.objects.bytes += lines.reduce((total, { size }) => total + size, 0)
      StartAfter = keys.at(-1) ?? StartAfter
      await addPart(store, progress, 'objects', lines, {
        step: 'objects',
        cursor: StartAfter ?? progress.cursor,
      })
      if (!page.IsTruncated) break
      report(`${progress.objects.count} files.`)
    }
  }
  await addPart(store, progress, 'objects', [], { step: 'users', cursor: undefined })
}

/** @returns undefined if it was deleted since it was listed */
async function copyObject(
  client: S3Client,
  Bucket: string,
  key: string,
  store: BackupStore,
): Promise<ObjectLine | undefined> {
  const found = await client.send(new GetObjectCommand({ Bucket, Key: key })).catch((error: unknown) => {
    if (!(error instanceof NoSuchKey)) throw error
  })
  if (!found) return undefined
  const { Body, ContentLength: size = 0, ContentType: type, CacheControl: cacheControl } = found
  const hash = createHash('sha256')
  let bytes = 0
  const hashing = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const body = Body as Readable
  body.on('error', (error) => hashing.destroy(error))
  await store.write(toObjectName(key), body.pipe(hashing), size)
  if (bytes !== size) throw new Error('an object was not read whole')
  return {
    key,
    size,
    sha256: hash.digest('hex'),
    ...(type !== undefined && { type }),
    ...(cacheControl !== undefined && { cacheControl }),
  }
}

/** Passwords and second factors are not in it: Cognito tells nobody. */
async function backUpAccounts(
  { pool: { client, id: UserPoolId } }: ProductStores,
  store: BackupStore,
  progress: Progress,
): Promise<void> {
  // lists of the pool cannot be continued later: all of this step is done again
  const isOfAccounts = ({ kind }: Part) => kind === 'groups' || kind === 'users'
  await requireOwnProgress(store, progress)
  for (const { name } of progress.parts.filter(isOfAccounts)) await store.remove(name)
  progress.parts = progress.parts.filter((one) => !isOfAccounts(one))
  progress.users = 0
  const members = poolGroups(UserPoolId, client)
  const groups: unknown[] = []
  for await (const { Groups = [] } of paginateListGroups({ client }, { UserPoolId }))
    for (const { GroupName = '', Description, Precedence } of Groups)
      if (!members.isCreatedByCognito(GroupName))
        groups.push({
          name: GroupName,
          ...(Description !== undefined && { description: Description }),
          ...(Precedence !== undefined && { precedence: Precedence }),
        })
  progress.groups = groups.length
  await addPart(store, progress, 'groups', groups, { step: 'users', cursor: undefined })

  for await (const { Users = [] } of paginateListUsers({ client }, { UserPoolId })) {
    const lines = await mapAtOnce(Users, lookUpsAtOnce, async (user): Promise<UserLine | undefined> => {
      const { Username = '', Attributes = [], Enabled = true, UserStatus = '' } = user
      const names = await members.listGroups(Username).catch((error: Error & { code?: string }) => {
        // the account was deleted since it was listed
        if (error.code !== 'user_not_found') throw error
      })
      if (!names) return undefined
      const attributes = Object.fromEntries(Attributes.map(({ Name = '', Value = '' }) => [Name, Value]))
      return {
        sub: attributes['sub'] ?? '',
        username: Username,
        attributes,
        enabled: Enabled,
        status: UserStatus,
        groups: names.map(toPoolGroupName),
      }
    })
    const present = lines.filter((one) => one !== undefined)
    progress.users += present.length
    await addPart(store, progress, 'users', present, { step: 'users', cursor: undefined })
  }
}

/**
 * Maps a few at a time, in order.
 * @throws the first error, once all that have begun have ended: nothing of them writes any more when the same is done again
 */
export async function mapAtOnce<One, Result>(
  list: readonly One[],
  atOnce: number,
  map: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let first = 0; first < list.length; first += atOnce) {
    const settled = await Promise.allSettled(list.slice(first, first + atOnce).map(map))
    for (const one of settled) {
      if (one.status === 'rejected') throw one.reason
      results.push(one.value)
    }
  }
  return results
}
