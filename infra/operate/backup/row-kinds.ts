import { hashOwner } from '../../../functions/platform/auth/link-suspension.ts'
import type { Item } from './items.ts'

/*
 * The kinds of rows of docs/table.md, for a backup: whose a row is, and whether it returns to a new deployment. What is sealed, or hashed
 * with the sealing key, is not in a backup: neither is the key.
 */

/** How the owner of a row is found; `nobody`: it belongs to the deployment. */
type Ownership = 'partition' | 'publisher' | 'snapshot' | 'address' | 'sort key' | 'attribute' | 'nobody'

interface RowKind {
  readonly name: string
  /** its first group is the owner's id if `owner` is `partition` */
  readonly partition: RegExp
  readonly sortKey?: RegExp
  /** besides its keys */
  readonly when?: (item: Item) => boolean
  readonly owner: Ownership
  /** why it is not in a backup; absent: it is */
  readonly leftOut?: string
}

const sealed = 'it is sealed, and the sealing key is not in a backup'
const madeAnew = 'the product makes it anew'

export const endedRows = 'what sign-outs have ended'

/** The first that fits counts. */
const rowKinds: readonly RowKind[] = [
  // what a person sets up again
  {
    name: 'second factors',
    partition: /^U#(.+)$/,
    sortKey: /^MFA(?:#|$)/,
    owner: 'partition',
    leftOut: sealed,
  },
  { name: 'owners of addresses', partition: /^E#/, owner: 'attribute', leftOut: sealed },
  {
    name: 'connections',
    partition: /^U#(.+)$/,
    sortKey: /^(?:I|TOOLS|ALLOW)#/,
    owner: 'partition',
    leftOut: 'its credential is sealed',
  },
  {
    name: 'credentials',
    partition: /^U#(.+)$/,
    sortKey: /^(?:C|V|VS|OS)#/,
    owner: 'partition',
    leftOut: sealed,
  },
  {
    name: 'custom tools with keys',
    partition: /^U#(.+)$/,
    sortKey: /^T#/,
    when: (item) => item['secret_name'] !== undefined,
    owner: 'partition',
    leftOut: 'its key is in the vault, which is not in a backup',
  },
  {
    name: 'connections to refresh',
    partition: /^REFRESH$/,
    owner: 'sort key',
    leftOut: 'connections are not in a backup',
  },
  {
    name: 'browsers that are told',
    partition: /^PUSH#(.+)$/,
    owner: 'partition',
    leftOut: 'it belongs to a key that is sealed',
  },
  { name: 'key at push services', partition: /^PUSH$/, owner: 'nobody', leftOut: sealed },
  { name: 'client registrations', partition: /^CLIENT#/, owner: 'nobody', leftOut: sealed },
  // what people have
  { name: 'open pages', partition: /^U#(.+)$/, sortKey: /^OPEN$/, owner: 'partition', leftOut: madeAnew },
  {
    name: 'since when conversations have entries',
    partition: /^U#(.+)$/,
    sortKey: /^DAYS$/,
    owner: 'partition',
    leftOut: madeAnew,
  },
  {
    name: 'erasures',
    partition: /^U#(.+)$/,
    sortKey: /^ERASE$/,
    owner: 'partition',
    leftOut: 'nothing of the person returns',
  },
  { name: 'schedules', partition: /^U#(.+)$/, sortKey: /^SCHED#/, owner: 'partition' },
  { name: 'rows of people', partition: /^U#(.+)$/, owner: 'partition' },
  { name: 'ratings', partition: /^FEEDBACK#(.+)$/, owner: 'partition' },
  { name: 'views of links', partition: /^RATE#share:/, owner: 'nobody', leftOut: madeAnew },
  { name: 'counters of the deployment', partition: /^RATE#site$/, owner: 'nobody' },
  { name: 'counters of people', partition: /^RATE#(.+)$/, owner: 'partition' },
  {
    name: 'suspended links',
    partition: /^OUT#/,
    sortKey: /^LINKS$/,
    owner: 'nobody',
    leftOut: 'those of accounts that are disabled are suspended anew',
  },
  { name: endedRows, partition: /^OUT#(.+)$/, sortKey: /^ENDED$/, owner: 'partition' },
  {
    name: 'revoked tokens',
    partition: /^OUT#(.+)$/,
    owner: 'partition',
    leftOut: 'a new pool has issued none of them',
  },
  { name: 'shared links', partition: /^SHARE#/, owner: 'snapshot' },
  { name: 'assistants', partition: /^ASSIST#/, owner: 'publisher' },
  { name: 'lists of a publisher', partition: /^LIST#by:(.+)$/, owner: 'partition' },
  { name: 'lists of assistants', partition: /^LIST#/, owner: 'nobody' },
  { name: 'uses of assistants', partition: /^USES#/, owner: 'nobody' },
  { name: 'what is due', partition: /^DUE#/, owner: 'sort key', leftOut: 'schedules return paused' },
  // the deployment
  { name: 'invitations', partition: /^INVITES$/, owner: 'address' },
  { name: 'groups', partition: /^GROUPS$/, owner: 'nobody' },
  { name: 'audit log', partition: /^AUDIT#/, owner: 'nobody' },
  { name: 'settings of the site', partition: /^SETTINGS$/, owner: 'nobody' },
  { name: 'site configuration', partition: /^CONF$/, owner: 'nobody', leftOut: 'a deployment writes it' },
  { name: 'registry', partition: /^(?:SYNC$|REG#)/, owner: 'nobody', leftOut: 'the daily sync loads it' },
  {
    name: 'format',
    partition: /^FORMAT$/,
    owner: 'nobody',
    leftOut: 'restored rows have the format that they had',
  },
  { name: 'restorations', partition: /^RESTORE$/, owner: 'nobody', leftOut: 'it is of one deployment' },
]

/** @returns undefined for a row that this version does not know */
export function findRowKind(item: Item): RowKind | undefined {
  const { PK, SK } = readKey(item)
  return rowKinds.find(
    ({ partition, sortKey, when }) =>
      partition.test(PK) && (sortKey === undefined || sortKey.test(SK)) && (when === undefined || when(item)),
  )
}

/** The key of a row; its parts are empty where they are no strings. */
export const readKey = ({ PK, SK }: Item): { PK: string; SK: string } => ({
  PK: PK?.S ?? '',
  SK: SK?.S ?? '',
})

/** Whose the partitions are whose key does not say it: publishers of assistants, hashes of the owners of links. */
export interface PartitionOwners {
  /** Learns from a row whose its partition is. */
  learn(item: Item): void
  find(partition: string): string | undefined
}

/** One entry for each assistant and link. */
export function partitionOwners(): PartitionOwners {
  const owners = new Map<string, string>()
  return {
    learn(item) {
      const { PK } = readKey(item)
      const owner = PK.startsWith('ASSIST#')
        ? item['publisher']?.S
        : PK.startsWith('SHARE#')
          ? item['owner']?.S
          : undefined
      if (owner !== undefined) owners.set(PK, owner)
    },
    find: (partition) => owners.get(partition),
  }
}

/**
 * The owner of a row: an id, or for a link its hash, or for an invitation the hash of the address.
 * @returns undefined when it is not known
 */
export function findRowOwner(kind: RowKind, item: Item, owners: PartitionOwners): string | undefined {
  const { PK, SK } = readKey(item)
  switch (kind.owner) {
    case 'partition':
      return kind.partition.exec(PK)?.[1]
    case 'publisher':
    case 'snapshot':
      return owners.find(PK)
    case 'address':
      return SK
    case 'attribute':
      return item['sub']?.S
    case 'sort key':
      return SK.split('#').find((one) => ids.test(one))
    case 'nobody':
      return undefined
  }
}

/** Pictures of assistants: their keys name the assistant, which keeps its id, and not its publisher. */
const pictureKey = /^published\/pictures\/([^/]+)\//

/** The id of the person whose object it is. @returns undefined where it is not known */
export function findObjectOwner(key: string, owners: PartitionOwners): string | undefined {
  const assistantId = pictureKey.exec(key)?.[1]
  return assistantId === undefined ? key.split('/')[1] : owners.find(`ASSIST#${assistantId}`)
}

/** The key of an object once its owner has another id. */
export function moveKey(key: string, now: string): string {
  const [prefix = '', , ...rest] = key.split('/')
  return pictureKey.test(key) ? key : [prefix, now, ...rest].join('/')
}

const idPattern = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'
const ids = new RegExp(`^${idPattern}$`)
const idsInText = new RegExp(idPattern, 'g')

/**
 * Replaces the ids of people wherever a text has one: keys, links to files, names of secrets, entries of the audit log. Ids are random,
 * so no other text is like one.
 * @param newIds by the former ones
 */
export function idReplacer(newIds: ReadonlyMap<string, string>): (text: string) => string {
  // alone, and in the key of what sign-outs have ended
  const hashes = new Map(
    [...newIds].flatMap(([former, now]) =>
      ['', 'OUT#'].map((prefix): [string, string] => [prefix + hashOwner(former), prefix + hashOwner(now)]),
    ),
  )
  return (text) => hashes.get(text) ?? text.replace(idsInText, (id) => newIds.get(id) ?? id)
}
