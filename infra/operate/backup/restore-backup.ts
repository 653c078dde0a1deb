import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { HeadObjectCommand, ListObjectsV2Command, NotFound, PutObjectCommand } from '@aws-sdk/client-s3'
import { buffer } from 'node:stream/consumers'
import { OperatorError } from '../../aws/operator-error.ts'
import { forgetFormat } from '../migrate/recorded-format.ts'
import { toPausedSchedule } from '../restore/restored-rows.ts'
import type { BackupStore } from './backup-store.ts'
import { mapAtOnce, type ProductStores } from './create-backup.ts'
import { decodeItem, type Item, replaceTexts } from './items.ts'
import {
  checkObject,
  hashPerson,
  listParts,
  loadManifest,
  type Manifest,
  objectLine,
  type ObjectLine,
  readPart,
  sumCounts,
  toObjectName,
} from './manifest.ts'
import {
  type AccountPlan,
  listPoolAccounts,
  planAccount,
  readUsers,
  restoreAccount,
  restoreGroups,
} from './restore-accounts.ts'
import {
  findObjectOwner,
  findRowKind,
  findRowOwner,
  idReplacer,
  moveKey,
  partitionOwners,
  type PartitionOwners,
} from './row-kinds.ts'
import { hashOwner, linkSuspension } from '../../../functions/platform/auth/link-suspension.ts'

interface RestoreOptions {
  /** says what would be done, and does nothing */
  readonly dryRun: boolean
  /** into a deployment that people have used already; what is there stays */
  readonly merge: boolean
  readonly now: () => Date
  readonly report: (line: string) => void
}

export interface RestoreResult {
  readonly accounts: Record<AccountPlan['outcome'], number>
  readonly rows: { written: number; present: number; expired: number; ownerless: number; unknown: number }
  readonly objects: { written: number; present: number; ownerless: number }
}

const writesAtOnce = 16
const copiesAtOnce = 4
/** Copies up to this size are held in memory. */
const heldBytes = 16 * 1024 * 1024

/**
 * The row by which a restoration that was interrupted is known: until it is complete, it may go on. Afterwards it would bring back what
 * people have deleted since.
 */
const markKey = (manifest: Manifest) => ({
  PK: { S: 'RESTORE' },
  SK: { S: hashPerson(`${manifest.source.pool}|${manifest.begun_at}`) },
})

/**
 * Restores a backup into another deployment, whose user pool gives everybody a new id: accounts are created, and rows and objects move
 * to them. It can be interrupted at any time, and repeated with the same result: what is there stays.
 * @throws OperatorError for a backup that is not complete or is damaged, and for a deployment that is in use
 */
export async function restoreBackup(
  stores: ProductStores,
  store: BackupStore,
  { dryRun, merge, now, report }: RestoreOptions,
): Promise<RestoreResult> {
  const manifest = await loadManifest(store)
  const { table, pool } = stores
  // before anything is written
  const owners = partitionOwners()
  for await (const item of readRows(store, manifest)) owners.learn(item)
  const objects = await checkParts(store, manifest)

  const known = await listPoolAccounts(pool)
  const plans: AccountPlan[] = []
  for await (const user of readUsers(store, manifest)) {
    if (known.subs.has(user.sub))
      throw new OperatorError(
        'This is the deployment of which the backup was made. To bring back what was deleted in it, use npm run restore -- --at.',
      )
    plans.push(planAccount(user, manifest, known))
  }
  if (!merge && !(await isUnfinished(stores, manifest))) await requireFresh(stores, known.subs.size)

  const accounts = { create: 0, found: 0, erased: 0, unconfirmed: 0, provider: 0, taken: 0 }
  for (const { outcome } of plans) accounts[outcome] += 1
  const startedAt = now().toISOString()
  const putMark = (more: Item) =>
    table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: { ...markKey(manifest), started_at: { S: startedAt }, ...more },
      }),
    )
  const newIds = new Map<string, string>()
  const links = linkSuspension({ client: DynamoDBDocumentClient.from(table.client), name: table.name })
  if (!dryRun) {
    await putMark({})
    await forgetFormat(table.client, table.name)
    await restoreGroups(pool, store, manifest)
  }
  for (const [at, plan] of plans.entries()) {
    const id = dryRun ? planId(plan) : await restoreAccount(pool, plan)
    if (!dryRun && id !== undefined && !plan.user.enabled) await links.suspend(id)
    if (id !== undefined) newIds.set(plan.user.sub, id)
    if ((at + 1) % 100 === 0) report(`${at + 1} of ${plans.length} accounts.`)
  }
  const rows = await restoreRows(stores, store, manifest, {
    newIds,
    owners,
    dryRun,
    nowMs: now().getTime(),
    report,
  })
  const moved = await restoreObjects(stores, store, objects, { newIds, owners, dryRun, report })
  const seenRows = sumCounts(rows)
  const seenObjects = moved.written + moved.present + moved.ownerless
  const expected = sumCounts(manifest.rows)
  if (seenRows !== expected || seenObjects !== manifest.objects.count || plans.length !== manifest.users)
    throw new OperatorError(
      `The backup has not what its manifest says: ${seenRows} of ${expected} rows, ${seenObjects} of ${manifest.objects.count} files, ${plans.length} of ${manifest.users} accounts.`,
    )
  if (!dryRun) await putMark({ completed_at: { S: now().toISOString() } })
  return { accounts, rows, objects: moved }
}

/** The id that a dry run counts with: of an account that would be created it is not known yet. */
const planId = ({ user, outcome }: AccountPlan): string | undefined =>
  outcome === 'create' || outcome === 'found' ? user.sub : undefined

async function* readRows(store: BackupStore, manifest: Manifest): AsyncGenerator<Item> {
  for (const part of listParts(manifest, 'rows'))
    for (const line of await readPart(store, part)) yield decodeItem(line as Record<string, unknown>)
}

/** Reads the parts that are needed later. @returns reads the lines of objects */
async function checkParts(
  store: BackupStore,
  manifest: Manifest,
): Promise<() => AsyncGenerator<ObjectLine[]>> {
  for (const kind of ['groups', 'users', 'objects'] as const)
    for (const part of listParts(manifest, kind)) await readPart(store, part)
  return async function* () {
    for (const part of listParts(manifest, 'objects'))
      yield (await readPart(store, part)).map((line) => objectLine.parse(line))
  }
}

async function isUnfinished(
  { table: { client, name } }: ProductStores,
  manifest: Manifest,
): Promise<boolean> {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: name, Key: markKey(manifest), ConsistentRead: true }),
  )
  return Item !== undefined && Item['completed_at'] === undefined
}

/** @throws OperatorError when the deployment has accounts, rows of people or files */
async function requireFresh({ table, bucket }: ProductStores, accounts: number): Promise<void> {
  let start: Record<string, AttributeValue> | undefined
  let isUsed = accounts > 0
  do {
    const page = await table.client.send(
      new ScanCommand({
        TableName: table.name,
        ConsistentRead: true,
        FilterExpression: 'begins_with(PK, :user)',
        ProjectionExpression: 'PK',
        ExpressionAttributeValues: { ':user': { S: 'U#' } },
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    isUsed ||= (page.Items ?? []).length > 0
    start = page.LastEvaluatedKey
  } while (start && !isUsed)
  const { Contents = [] } = await bucket.client.send(
    new ListObjectsV2Command({ Bucket: bucket.name, Prefix: 'users/', MaxKeys: 1 }),
  )
  if (isUsed || Contents.length > 0)
    throw new OperatorError(
      `The deployment is in use: it has ${accounts} accounts. With --merge the backup is added to what is there, and who has an account by their confirmed address gets their data into it.`,
    )
}

async function restoreRows(
  { table }: ProductStores,
  store: BackupStore,
  manifest: Manifest,
  {
    newIds,
    owners,
    dryRun,
    nowMs,
    report,
  }: {
    newIds: ReadonlyMap<string, string>
    owners: PartitionOwners
    dryRun: boolean
    nowMs: number
    report: RestoreOptions['report']
  },
): Promise<RestoreResult['rows']> {
  const counts = { written: 0, present: 0, expired: 0, ownerless: 0, unknown: 0 }
  const replace = idReplacer(newIds)
  const ownerHashes = new Set([...newIds.keys()].map(hashOwner))

  async function restoreRow(item: Item): Promise<void> {
    const kind = findRowKind(item)
    if (!kind || kind.leftOut !== undefined) return void (counts.unknown += 1)
    if (Number(item['ttl']?.N ?? Infinity) <= nowMs / 1000) return void (counts.expired += 1)
    const owner = findRowOwner(kind, item, owners)
    const hasOwner =
      kind.owner === 'nobody' ||
      kind.owner === 'address' ||
      (owner !== undefined && (newIds.has(owner) || ownerHashes.has(owner)))
    if (!hasOwner) return void (counts.ownerless += 1)
    if (dryRun) return void (counts.written += 1)
    const moved = replaceTexts(kind.name === 'schedules' ? toPausedSchedule(item) : item, replace)
    try {
      await table.client.send(
        new PutItemCommand({
          TableName: table.name,
          Item: moved,
          ConditionExpression: 'attribute_not_exists(PK)',
        }),
      )
      counts.written += 1
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      counts.present += 1
    }
  }

  for (const part of listParts(manifest, 'rows')) {
    const items = (await readPart(store, part)).map((line) => decodeItem(line as Record<string, unknown>))
    await mapAtOnce(items, writesAtOnce, restoreRow)
    report(`${counts.written} rows written, ${counts.present} were there.`)
  }
  return counts
}

async function restoreObjects(
  { bucket: { client, name: Bucket } }: ProductStores,
  store: BackupStore,
  readObjects: () => AsyncGenerator<ObjectLine[]>,
  {
    newIds,
    owners,
    dryRun,
    report,
  }: {
    newIds: ReadonlyMap<string, string>
    owners: PartitionOwners
    dryRun: boolean
    report: RestoreOptions['report']
  },
): Promise<RestoreResult['objects']> {
  const counts = { written: 0, present: 0, ownerless: 0 }

  async function restoreObject(line: ObjectLine): Promise<void> {
    const now = newIds.get(findObjectOwner(line.key, owners) ?? '')
    if (now === undefined) return void (counts.ownerless += 1)
    if (dryRun) return void (counts.written += 1)
    const Key = moveKey(line.key, now)
    const there = await client.send(new HeadObjectCommand({ Bucket, Key })).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error
    })
    if (there?.ContentLength === line.size) return void (counts.present += 1)
    await checkObject(store, line)
    const body = await store.read(toObjectName(line.key))
    if (!body) throw new OperatorError(`The copy of ${line.key} has gone.`)
    await client.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: line.size <= heldBytes ? await buffer(body) : body,
        ContentLength: line.size,
        ContentType: line.type,
        CacheControl: line.cacheControl,
      }),
    )
    counts.written += 1
  }

  for await (const lines of readObjects()) {
    await mapAtOnce(lines, copiesAtOnce, restoreObject)
    report(`${counts.written} files written, ${counts.present} were there.`)
  }
  return counts
}
