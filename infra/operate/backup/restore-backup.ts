import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  paginateQuery,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
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
  isMade,
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
  endedRows,
  type PartitionOwners,
} from './row-kinds.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { mergeEnded, noteRestored } from '../../../functions/platform/auth/ended-additions.ts'
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
  /** addresses of those who are administrators by it */
  readonly administrators: readonly string[]
  /** `earlier`: of those to whom an earlier run has given everything */
  readonly rows: Record<'written' | 'present' | 'expired' | 'ownerless' | 'earlier' | 'unknown', number>
  readonly objects: Record<'written' | 'present' | 'ownerless' | 'earlier', number>
}

const writesAtOnce = 16
const copiesAtOnce = 4
/** Copies up to this size are held in memory. */
const heldBytes = 16 * 1024 * 1024

/**
 * The rows by which a restoration is known. The first one, of the backup: until it is complete, it may go on. Below it, who has got
 * everything, the deployment among them: again, it would bring back what was deleted since.
 */
const markKey = (manifest: Manifest, part = '') => ({
  PK: { S: 'RESTORE' },
  SK: { S: hashPerson(`${manifest.source.pool}|${manifest.begun_at}`) + part },
})
/** stands for what is nobody's among those who have got everything */
const deployment = 'deployment'

/** @returns hashes of those to whom earlier runs have given everything */
async function findRestored(
  { table: { client, name: TableName } }: ProductStores,
  manifest: Manifest,
): Promise<Set<string>> {
  const { PK, SK } = markKey(manifest, '#')
  const found = new Set<string>()
  const pages = paginateQuery(
    { client },
    {
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :sk)',
      ExpressionAttributeValues: { ':pk': PK, ':sk': SK },
    },
  )
  for await (const { Items = [] } of pages)
    for (const item of Items) found.add(String(item['SK']?.S).slice(SK.S.length))
  return found
}

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

  const [known, restored] = [await listPoolAccounts(pool), await findRestored(stores, manifest)]
  const plans: AccountPlan[] = []
  for await (const user of readUsers(store, manifest)) {
    if (known.subs.has(user.sub))
      throw new OperatorError(
        'This is the deployment of which the backup was made. To bring back what was deleted in it, use npm run restore -- --at.',
      )
    plans.push(planAccount(user, manifest, known, restored))
  }
  if (!merge && !(await isUnfinished(stores, manifest))) await requireFresh(stores, known.subs.size)

  const accounts: RestoreResult['accounts'] = {
    create: 0,
    joined: 0,
    found: 0,
    restored: 0,
    erased: 0,
    unconfirmed: 0,
    provider: 0,
    taken: 0,
  }
  for (const { outcome } of plans) accounts[outcome] += 1
  const administrators = plans
    .filter((plan) => isMade(plan) && plan.user.groups.includes(adminGroup))
    .map(({ user }) => user.attributes['email'] ?? user.username)
  const startedAt = now().toISOString()
  const putMark = (more: Item, part = '') =>
    table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: { ...markKey(manifest, part), started_at: { S: startedAt }, ...more },
      }),
    )
  const isFirst = !restored.has(deployment)
  const newIds = new Map<string, string>()
  const documents = toDocuments(table)
  const links = linkSuspension(documents)
  if (!dryRun) {
    await putMark({})
    await forgetFormat(table.client, table.name)
    if (isFirst) await restoreGroups(pool, store, manifest)
  }
  for (const [at, plan] of plans.entries()) {
    const id = dryRun ? planId(plan) : await restoreAccount(pool, plan)
    if (!dryRun && id !== undefined && isMade(plan)) {
      await noteRestored(documents, id, now().getTime())
      if (!plan.user.enabled) await links.suspend(id)
    }
    if (id !== undefined) newIds.set(plan.user.sub, id)
    if ((at + 1) % 100 === 0) report(`${at + 1} of ${plans.length} accounts.`)
  }
  const earlier = new Set(plans.flatMap(({ user, outcome }) => (outcome === 'restored' ? [user.sub] : [])))
  const rows = await restoreRows(stores, store, manifest, {
    newIds,
    earlier,
    isFirst,
    owners,
    dryRun,
    nowMs: now().getTime(),
    report,
  })
  const moved = await restoreObjects(stores, store, objects, { newIds, earlier, owners, dryRun, report })
  const seenRows = sumCounts(rows)
  const seenObjects = sumCounts(moved)
  const expected = sumCounts(manifest.rows)
  if (seenRows !== expected || seenObjects !== manifest.objects.count || plans.length !== manifest.users)
    throw new OperatorError(
      `The backup has not what its manifest says: ${seenRows} of ${expected} rows, ${seenObjects} of ${manifest.objects.count} files, ${plans.length} of ${manifest.users} accounts.`,
    )
  if (!dryRun) {
    const done = [deployment, ...[...newIds.keys()].map(hashPerson)].filter((one) => !restored.has(one))
    await mapAtOnce(done, writesAtOnce, async (one) => void (await putMark({}, `#${one}`)))
    await putMark({ completed_at: { S: now().toISOString() } })
  }
  return { accounts, administrators, rows, objects: moved }
}

const toDocuments = ({ client, name }: ProductStores['table']) => ({
  client: DynamoDBDocumentClient.from(client),
  name,
})

/** The id that a dry run counts with: of an account that would be created it is not known yet. */
const planId = (plan: AccountPlan): string | undefined =>
  isMade(plan) || plan.outcome === 'found' ? plan.user.sub : undefined

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
    earlier,
    isFirst,
    owners,
    dryRun,
    nowMs,
    report,
  }: {
    newIds: ReadonlyMap<string, string>
    /** ids of those who have got their rows */
    earlier: ReadonlySet<string>
    /** the deployment has not got what is nobody's */
    isFirst: boolean
    owners: PartitionOwners
    dryRun: boolean
    nowMs: number
    report: RestoreOptions['report']
  },
): Promise<RestoreResult['rows']> {
  const counts = { written: 0, present: 0, expired: 0, ownerless: 0, earlier: 0, unknown: 0 }
  const replace = idReplacer(newIds)
  const documents = toDocuments(table)
  const withHashes = (ids: Iterable<string>) => new Set([...ids].flatMap((id) => [id, hashOwner(id)]))
  const [receivers, served] = [withHashes(newIds.keys()), withHashes(earlier)]

  async function restoreRow(item: Item): Promise<void> {
    const kind = findRowKind(item)
    if (!kind || kind.leftOut !== undefined) return void (counts.unknown += 1)
    if (Number(item['ttl']?.N ?? Infinity) <= nowMs / 1000) return void (counts.expired += 1)
    const owner = findRowOwner(kind, item, owners) ?? ''
    const isPersons = kind.owner !== 'nobody' && kind.owner !== 'address'
    if (isPersons ? served.has(owner) : !isFirst) return void (counts.earlier += 1)
    if (isPersons && !receivers.has(owner)) return void (counts.ownerless += 1)
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
      if (kind.name === endedRows) await mergeEnded(documents, unmarshall(moved), nowMs)
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
    earlier,
    owners,
    dryRun,
    report,
  }: {
    newIds: ReadonlyMap<string, string>
    earlier: ReadonlySet<string>
    owners: PartitionOwners
    dryRun: boolean
    report: RestoreOptions['report']
  },
): Promise<RestoreResult['objects']> {
  const counts = { written: 0, present: 0, ownerless: 0, earlier: 0 }

  async function restoreObject(line: ObjectLine): Promise<void> {
    const owner = findObjectOwner(line.key, owners) ?? ''
    if (earlier.has(owner)) return void (counts.earlier += 1)
    const now = newIds.get(owner)
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
