import * as z from 'zod'
import type { StorageQuota } from '../files/storage-quota.ts'
import { deleteByPrefix } from '../platform/dynamodb/delete-rows.ts'
import { packChunks } from '../platform/dynamodb/packed-chunks.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { deleteRow, putIf, putRow, readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { getStoredRow, isConditionFailed, updateRow } from '../platform/dynamodb/update-row.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import {
  assistantKey,
  assistantReader,
  headFields,
  headKey,
  parseHead,
  usesKey,
  versionPrefix,
  versionsPrefix,
  type AssistantHead,
  type AssistantVersion,
} from './assistant-reader.ts'
import { createPictureLink, publishedPictureKey } from './assistant-picture.ts'
import { publishedKey } from './published-files.ts'

/*
 * Writes assistants. assistant-reader.ts explains heads, versions and the fence; beside them there are:
 * - `U#<sub>`, `PUB#<project>`: the assistant of a project, and the number of its newest version
 * - `LIST#<audience>`, `<id>`: an index of the assistants that somebody may see. It may have too many entries: the heads decide.
 * No write covers two rows. A publication that breaks off leaves at most entries of lists, and a version that no head names, which the next
 * publication, or the erasure of its publisher, removes.
 */

const ownerPrefix = 'PUB#'
const ownerKey = (sub: string, projectId: string) => ({ PK: `U#${sub}`, SK: ownerPrefix + projectId })
const ownerRow = z.object({ SK: z.string().startsWith(ownerPrefix), assistant_id: z.string() })

/** The mark of a withdrawn assistant outlives whatever is still at work with it, but not by long. */
const tombstoneSeconds = 86_400

/** A version can be shown without a head, or if nobody has withdrawn the assistant, shown a newer version, or advanced the fence. */
const canBeShown =
  'attribute_not_exists(#PK) OR ((attribute_not_exists(#state) OR #state = :state) AND (attribute_not_exists(#version) OR #version < :version) AND #fence = :fence)'

/** Lists of ids by who may see them. */
const lists = {
  all: 'LIST#all',
  everyone: 'LIST#everyone',
  group: (name: string) => `LIST#group:${name}`,
  publisher: (sub: string) => `LIST#by:${sub}`,
}
/** Whose assistants are listed: all, those for everyone, of a group, or of a publisher. */
export type AssistantList = 'all' | 'everyone' | { group: string } | { publisher: string }
const toListKey = (list: AssistantList) =>
  typeof list === 'string'
    ? lists[list]
    : 'group' in list
      ? lists.group(list.group)
      : lists.publisher(list.publisher)

const listAudience = ({ everyone, groups = new Set() }: Pick<AssistantHead, 'everyone' | 'groups'>) => [
  ...(everyone ? [lists.everyone] : []),
  ...[...groups].map(lists.group),
]

/** The name under which the publisher's storage counts the texts of a version. */
const toTextOwner = (id: string, version: number) => `${id}.${version}`

/** What a publication writes into the head; the repository adds the rest. */
export type HeadValues = Omit<AssistantHead, 'id' | 'state' | 'version' | 'fence' | 'suspended'>

/** What changes of accounts and groups do to assistants: they hide those of disabled publishers, and narrow audiences. */
export const assistantAudiences = (table: Table) => {
  const listIds = async (list: AssistantList): Promise<string[]> =>
    (await queryAll(table, { partition: toListKey(list), projection: 'SK' })).map(({ SK }) => String(SK))
  // advances the fence also where no head is yet: the first version that is being made is not shown then
  const changeAll = async (list: AssistantList, change: string, values: Record<string, unknown> = {}) => {
    for (const id of await listIds(list))
      await updateRow(table, headKey(id), {
        update: `${change} ADD #fence :one`,
        values: { ...values, ':one': 1 },
      })
  }
  return {
    listIds,

    /** Hides the assistants of a disabled account. Can be repeated. */
    suspend: (sub: string) => changeAll({ publisher: sub }, 'SET #suspended = :true', { ':true': true }),

    /** Shows the assistants of an account that is enabled again. Can be repeated. */
    resume: (sub: string) => changeAll({ publisher: sub }, 'REMOVE #suspended'),

    /** Removes groups that a publisher has lost from the audiences of their assistants. Can be repeated. */
    async leaveGroups(sub: string, names: readonly string[]): Promise<void> {
      if (names.length > 0)
        await changeAll({ publisher: sub }, 'DELETE #groups :names', { ':names': new Set(names) })
    },

    /** Removes a deleted group from all audiences: a later group of the same name does not inherit its assistants. Can be repeated. */
    async removeGroup(name: string): Promise<void> {
      await changeAll({ group: name }, 'DELETE #groups :names', { ':names': new Set([name]) })
    },
  }
}
export type AssistantAudiences = ReturnType<typeof assistantAudiences>

/** Publishes and withdraws. @param quota of publishers, to whose storage the copies of texts belong */
export const assistantRepository = (
  table: Table,
  { store, quota }: { store: ObjectStore; quota: Pick<StorageQuota, 'releaseText'> },
) => {
  const reader = assistantReader(table)
  const { listIds } = assistantAudiences(table)

  /**
   * Removes a version and its objects. Can be repeated.
   * @param releases whether its publisher's storage is released, too
   */
  async function removeVersion(
    { id, publisher }: Pick<AssistantHead, 'id' | 'publisher'>,
    version: number,
    releases: boolean,
  ): Promise<void> {
    // damaged: its objects go with its publisher's account
    const found = await reader.loadVersion(id, version).catch(() => undefined)
    const keys = (found?.files ?? []).flatMap(({ n, objects }) =>
      objects.map((object) => publishedKey({ id, publisher, version }, n, object)),
    )
    await store.remove([...keys, publishedPictureKey({ id, version })])
    await deleteByPrefix(table, assistantKey(id), versionPrefix(version))
    if (releases) await quota.releaseText(publisher, toTextOwner(id, version))
  }

  async function listVersions(id: string): Promise<number[]> {
    const rows = await queryAll(table, {
      partition: assistantKey(id),
      prefix: versionsPrefix,
      projection: 'SK',
    })
    return [...new Set(rows.map(({ SK }) => Number(String(SK).slice(versionsPrefix.length).split('#')[0])))]
  }

  /** Forgets which assistant a project has, unless it has another one by now. */
  const forgetOwned = (sub: string, projectId: string, id: string): Promise<void> =>
    deleteRow(table, ownerKey(sub, projectId), {
      ConditionExpression: 'assistant_id = :id',
      ExpressionAttributeValues: { ':id': id },
    })

  /** @param newest rows that a later version has written stay: it may be about to be shown */
  const removeFromLists = async (id: string, partitions: readonly string[], newest?: number) => {
    const condition = newest !== undefined && {
      ConditionExpression: 'attribute_not_exists(#version) OR #version <= :newest',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':newest': newest },
    }
    for (const PK of new Set(partitions)) await deleteRow(table, { PK, SK: id }, condition || {})
  }

  return {
    ...reader,
    listIds,
    removeVersion,
    toTextOwner,

    /** Heads of the ids that have one. */
    async findHeads(ids: readonly string[]): Promise<AssistantHead[]> {
      const found: AssistantHead[] = []
      for (let at = 0; at < ids.length; at += 20)
        found.push(
          ...(await Promise.all(ids.slice(at, at + 20).map((id) => reader.findHead(id)))).flatMap(
            (head) => head ?? [],
          ),
        )
      return found
    },

    /** The caller's published projects, with the ids of their assistants, which may be withdrawn by now. */
    async listOwned(sub: string): Promise<{ projectId: string; id: string }[]> {
      const rows = await queryAll(table, { partition: `U#${sub}`, prefix: ownerPrefix })
      return rows.map((row) => {
        const { SK, assistant_id } = ownerRow.parse(row)
        return { projectId: SK.slice(ownerPrefix.length), id: assistant_id }
      })
    },

    async findOwned(sub: string, projectId: string): Promise<string | undefined> {
      const row = await readRow(table, ownerKey(sub, projectId))
      return row && ownerRow.parse(row).assistant_id
    },

    /** Reserves the number of a project's next version, from 1, which no other publication gets. The first one creates the assistant's id. */
    async takeVersion(sub: string, projectId: string): Promise<{ id: string; version: number }> {
      const { attributes } = await updateRow(table, ownerKey(sub, projectId), {
        update: 'SET #assistant_id = if_not_exists(#assistant_id, :id) ADD #next :one',
        values: { ':id': crypto.randomUUID(), ':one': 1 },
        returns: 'ALL_NEW',
      })
      return {
        id: z.string().parse(attributes?.['assistant_id']),
        version: z.number().parse(attributes?.['next']),
      }
    },

    /**
     * Removes what an administrator's withdrawal left of its publisher: the storage of its last two versions, and the row of the project;
     * and the versions of one that failed in the middle. Can be repeated.
     */
    async forgetWithdrawn(sub: string, projectId: string, { id, version }: AssistantHead): Promise<void> {
      for (const one of await listVersions(id)) await removeVersion({ id, publisher: sub }, one, true)
      for (const one of [version - 1, version]) await quota.releaseText(sub, toTextOwner(id, one))
      await forgetOwned(sub, projectId, id)
    },

    /**
     * Adds the assistant to the lists of its publisher and its audience. Comes before the fence is read: whatever advances the fence later
     * finds the assistant by these entries. An entry carries the newest version that needs it.
     */
    async list(
      { id, publisher, version }: Pick<AssistantHead, 'id' | 'publisher' | 'version'>,
      audience: Pick<AssistantHead, 'everyone' | 'groups'>,
    ): Promise<void> {
      for (const PK of [lists.publisher(publisher), lists.all, ...listAudience(audience)])
        await putIf(
          table,
          { PK, SK: id, version },
          {
            ConditionExpression: 'attribute_not_exists(#version) OR #version < :version',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':version': version },
          },
        )
    },

    /** Undoes `list` for a version that was not shown. Entries stay that the shown version, or a later one, needs. */
    async unlist(
      { id, publisher, version }: Pick<AssistantHead, 'id' | 'publisher' | 'version'>,
      audience: Pick<AssistantHead, 'everyone' | 'groups'>,
    ): Promise<void> {
      const shown = await reader.findHead(id)
      const isShown = shown?.state === 'live'
      const needed = isShown ? listAudience(shown) : []
      const added = [...listAudience(audience), ...(isShown ? [] : [lists.publisher(publisher), lists.all])]
      await removeFromLists(
        id,
        added.filter((partition) => !needed.includes(partition)),
        version,
      )
    },

    /**
     * Removes the entries of a list whose assistants are withdrawn or have another audience: a publication that broke off leaves them.
     * @returns the ids that stay
     */
    async tidyList(list: AssistantList): Promise<string[]> {
      const partition = toListKey(list)
      for (const id of await listIds(list)) {
        const head = await reader.findHead(id)
        // without a head its first version may be being made
        if (head?.state === 'gone' || (head?.state === 'live' && !listAudience(head).includes(partition)))
          await removeFromLists(id, [partition], head.version)
      }
      return listIds(list)
    },

    /** Stores a version, which nobody sees before the head names it. */
    async putVersion(id: string, version: number, content: AssistantVersion): Promise<void> {
      for (const [chunk, data] of (await packChunks(content)).entries())
        await putRow(table, {
          PK: assistantKey(id),
          SK: versionPrefix(version) + String(chunk).padStart(3, '0'),
          data,
        })
    },

    /**
     * Shows a version that is stored.
     * @param fence as it was read before the version was made
     * @returns false if the assistant was withdrawn, published or hidden meanwhile
     */
    async show(id: string, version: number, fence: number, values: HeadValues): Promise<boolean> {
      const { groups, ...others } = values
      const fields = {
        ...others,
        ...(groups && groups.size > 0 && { groups }),
        state: 'live',
        version,
        fence,
      }
      const set = Object.entries(fields).filter(([, value]) => value !== undefined)
      const absent = [
        'everyone',
        'groups',
        'model',
        'effort',
        'news',
        'may_copy',
        'copied_from',
        'picture',
        'ttl',
      ].filter((name) => !set.some(([field]) => field === name))
      try {
        const { attributes } = await updateRow(table, headKey(id), {
          update: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}${absent.length > 0 ? ` REMOVE ${absent.map((name) => `#${name}`).join(', ')}` : ''}`,
          condition: canBeShown,
          values: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
          returns: 'ALL_OLD',
        })
        const before = listAudience((attributes && parseHead(id, attributes)) ?? {})
        const now = listAudience(values)
        await removeFromLists(
          id,
          before.filter((partition) => !now.includes(partition)),
          version,
        )
        return true
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        // a write whose response was lost
        const stored = getStoredRow(error)
        const head = stored && parseHead(id, stored)
        return head?.state === 'live' && head.version === version
      }
    },

    /** Removes the versions before the previous one, which replies may still read. */
    async removeOldVersions(head: Pick<AssistantHead, 'id' | 'publisher'>, version: number): Promise<void> {
      for (const old of await listVersions(head.id))
        if (old < version - 1) await removeVersion(head, old, true)
    },

    /**
     * Withdraws: at once for everybody, then all that is stored of it. Can be repeated.
     * @param by an administrator does not write rows of the publisher: they stay until `forgetWithdrawn`, for which the head stays, too
     */
    async withdraw(
      { id, publisher, project_id }: Pick<AssistantHead, 'id' | 'publisher' | 'project_id'>,
      by: 'publisher' | 'administrator',
    ): Promise<void> {
      const lasting = ['state', 'version', 'fence', 'publisher', 'project_id']
      const emptied = [
        ...headFields.filter((name) => !lasting.includes(name)),
        ...(by === 'publisher' ? [] : ['ttl']),
      ]
      const { attributes } = await updateRow(table, headKey(id), {
        update: `SET #state = :gone, #publisher = :publisher, #project_id = :project${by === 'publisher' ? ', #ttl = :ttl' : ''} REMOVE ${emptied.map((name) => `#${name}`).join(', ')} ADD #fence :one`,
        values: {
          ':gone': 'gone',
          ':publisher': publisher,
          ':project': project_id,
          ':one': 1,
          ...(by === 'publisher' && { ':ttl': Math.floor(Date.now() / 1_000) + tombstoneSeconds }),
        },
        returns: 'ALL_OLD',
      })
      const audience = listAudience((attributes && parseHead(id, attributes)) ?? {})
      await removeFromLists(id, [...audience, lists.publisher(publisher), lists.all])
      for (const version of await listVersions(id))
        await removeVersion({ id, publisher }, version, by === 'publisher')
      await deleteRow(table, usesKey(id))
      if (by === 'publisher') await forgetOwned(publisher, project_id, id)
      // last, because a repeat finds by them what is left
      await updateRow(table, headKey(id), { update: 'REMOVE #publisher, #project_id' })
    },

    /** A link to its picture; undefined without one. */
    linkPicture: (head: AssistantHead) => createPictureLink(store, head),

    async countUses(id: string): Promise<number> {
      return Number((await readRow(table, usesKey(id)))?.['uses'] ?? 0)
    },
  }
}
export type AssistantRepository = ReturnType<typeof assistantRepository>
