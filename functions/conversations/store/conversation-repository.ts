import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { ConversationAssistant, Session } from '#shared/contracts/messages.ts'
import type { SessionChanges } from '#shared/contracts/sessions.ts'
import { queryAll, queryPages } from '../../platform/dynamodb/query.ts'
import { readRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import {
  buildAddition,
  usageCounterNames,
  type UsageCounters,
} from '../../platform/dynamodb/usage-counters.ts'
import { ConversationNotFound } from './errors.ts'
import { listEntries, toDay } from './list-entries.ts'
import { updateIf, updateOrThrow } from '../../platform/dynamodb/update-row.ts'
import {
  type ListedConversation,
  type StoredConversation,
  conversationKey,
  fromRow,
  toListed,
} from './conversation-row.ts'

/** A deleted conversation's row stays this long without content, so that a late writer cannot bring it back. */
const tombstoneSeconds = 7 * 86_400

/** A conversation after something was added to its count; without `isCountExact` it may have been added twice. */
interface CountUpdate {
  session: Session
  isCountExact: boolean
}

/** What a turn changes in the row of its conversation. */
interface Publication {
  title: string
  /** whether the title replaces the stored one, unless the user has set that */
  replacesTitle: boolean
  addedMessages: number
  at: string
  /** the last update before this one, if there was one */
  previousAt?: string | undefined
  /** of the newest turn, with its `effort`; undefined leaves both as they are */
  model?: string | undefined
  effort?: string | undefined
  /** of the newest turn; undefined leaves them as they are */
  disabledTools?: readonly DisabledTool[] | undefined
  /** of a conversation without a row; an existing one keeps its own */
  projectId?: string | undefined
  /** undefined leaves it as it is */
  assistant?: ConversationAssistant | undefined
}

/** What a run used. Repeated writes count it once. */
export interface RunUsage {
  runId: string
  counters: UsageCounters
}

/** Reads and writes the rows of conversations, without their messages. */
export const conversationRepository = (table: Table) => {
  const entries = listEntries(table)

  /** @throws ConversationNotFound when the condition fails: each asks for a row, for no tombstone, or both */
  const update = (
    sub: string,
    id: string,
    expression: string,
    values: Record<string, unknown>,
    condition: string,
  ) =>
    updateOrThrow(
      table,
      conversationKey(sub, id),
      { update: expression, condition, values, returns: 'ALL_NEW' },
      (cause) => new ConversationNotFound(`conversation ${id} is deleted or never existed`, { cause }),
    )

  /** @returns the conversation, 'deleted' for a tombstone, or undefined */
  async function find(sub: string, id: string): Promise<StoredConversation | 'deleted' | undefined> {
    const item = await readRow(table, conversationKey(sub, id))
    if (!item) return undefined
    return item['deleted_at'] === undefined ? fromRow(sub, item) : 'deleted'
  }

  /** How often the row was written, for `setCount`; undefined if the conversation has none, or was deleted. */
  async function findRevision(sub: string, id: string): Promise<number | undefined> {
    const item = await readRow(table, conversationKey(sub, id))
    return item && item['deleted_at'] === undefined ? Number(item['rev'] ?? 0) : undefined
  }

  /**
   * Changes an existing conversation, and counts what a run used in the same write.
   * @param set the assignments of the `SET` clause, one at least
   * @returns the conversation, also if an earlier attempt of the same write has changed it already
   * @throws ConversationNotFound
   */
  async function updateCounted(
    sub: string,
    id: string,
    {
      set,
      add = '',
      values,
      condition = 'attribute_exists(#PK)',
    }: { set: string[]; add?: string; values: Record<string, unknown>; condition?: string },
    used: RunUsage | undefined,
  ): Promise<CountUpdate> {
    const addition = used && buildAddition(used.counters)
    const assignments = addition ? [...set, '#counted_run = :counted_run'] : set
    try {
      const { attributes, wasRetried } = await update(
        sub,
        id,
        `SET ${assignments.join(', ')} ADD ${add}#rev :one${addition ? `, ${addition.clause}` : ''}`,
        {
          ...values,
          ':one': 1,
          ...addition?.values,
          ...(addition && { ':counted_run': used.runId }),
        },
        `${condition} AND attribute_not_exists(#deleted_at)${addition ? ' AND (attribute_not_exists(#counted_run) OR #counted_run <> :counted_run)' : ''}`,
      )
      return { session: fromRow(sub, attributes), isCountExact: !wasRetried }
    } catch (error) {
      const item =
        addition && error instanceof ConversationNotFound && (await readRow(table, conversationKey(sub, id)))
      if (!item || item['deleted_at'] !== undefined || item['counted_run'] !== used.runId) throw error
      return { session: fromRow(sub, item), isCountExact: true }
    }
  }

  /**
   * Runs a write that moves a conversation up the list, and moves its entry to the day if that is another one. Both writes are sent at once:
   * a new conversation's message waits for them.
   * @param from the last update before, ISO time; undefined if there was none, or it is not known
   */
  async function moveUp<Result>(
    sub: string,
    id: string,
    { from, to }: { from: string | undefined; to: string },
    write: () => Promise<Result>,
  ): Promise<Result> {
    if (from !== undefined && toDay(from) === toDay(to)) return write()
    const [written, entry] = await Promise.allSettled([write(), entries.addDay(sub, id, to)])
    if (written.status === 'rejected') {
      // nothing is left of what was deleted
      if (written.reason instanceof ConversationNotFound && (await find(sub, id)) === 'deleted')
        await entries.removeDay(sub, id, to)
      throw written.reason
    }
    if (entry.status === 'rejected') throw entry.reason
    // one that stays is too much, which readers expect
    if (from !== undefined) await entries.removeDay(sub, id, from).catch(() => undefined)
    return written.value
  }

  /** @throws ConversationNotFound for a tombstone, and if the title is to be replaced but the user has set it */
  async function publish(
    sub: string,
    id: string,
    {
      title,
      addedMessages,
      at,
      replacesTitle,
      model,
      effort,
      disabledTools,
      projectId,
      assistant,
    }: Publication,
  ): Promise<CountUpdate> {
    const titleClause = replacesTitle ? '#title = :title' : '#title = if_not_exists(#title, :title)'
    const hasDisabled = disabledTools !== undefined && disabledTools.length > 0
    const chosen = {
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort }),
      ...(hasDisabled && { disabled_tools: disabledTools }),
      ...(assistant && { assistant }),
    }
    const projectClause =
      projectId === undefined ? '' : ', #project_id = if_not_exists(#project_id, :project_id)'
    const chosenClause = Object.keys(chosen).map((field) => `, #${field} = :${field}`)
    const removed = [
      '#archived',
      ...(model !== undefined && effort === undefined ? ['#effort'] : []),
      ...(disabledTools !== undefined && !hasDisabled ? ['#disabled_tools'] : []),
    ].join(', ')
    const { attributes, wasRetried } = await update(
      sub,
      id,
      `SET ${titleClause}, #created_at = if_not_exists(#created_at, :at), #updated_at = :at, #usage_from = if_not_exists(#usage_from, :at)${chosenClause.join('')}${projectClause} REMOVE ${removed} ADD #message_count :added, #rev :one`,
      {
        ':title': title,
        ':at': at,
        ':added': addedMessages,
        ':one': 1,
        ...(projectId !== undefined && { ':project_id': projectId }),
        ...Object.fromEntries(Object.entries(chosen).map(([field, value]) => [`:${field}`, value])),
      },
      `attribute_not_exists(#deleted_at)${replacesTitle ? ' AND attribute_not_exists(#title_set)' : ''}`,
    )
    return { session: fromRow(sub, attributes), isCountExact: !wasRetried }
  }

  /**
   * The caller's conversations with real content, in the order of their ids, a page of the table at a time.
   * @param range `after` an id; `limit` rows in a page
   */
  async function* readPages(
    sub: string,
    { after, limit }: { after?: string; limit?: number } = {},
  ): AsyncGenerator<ListedConversation[]> {
    const pages = queryPages(table, {
      partition: `U#${sub}`,
      prefix: 'S#',
      limit,
      after: after === undefined ? undefined : `S#${after}`,
    })
    for await (const rows of pages) yield rows.flatMap((item) => toListed(sub, item))
  }

  return {
    find,

    readPages,

    /** Removes what lists find deleted conversations by. */
    removeEntries: (sub: string, ids: readonly string[]) => entries.removeAll(sub, ids),

    /** All of the caller's conversations with real content, newest update first. */
    async list(sub: string): Promise<ListedConversation[]> {
      const sessions: ListedConversation[] = []
      for await (const page of readPages(sub)) sessions.push(...page)
      return sessions.sort((a, b) => b.updated_at.localeCompare(a.updated_at))
    },

    /** All conversations with rows left, including those without real content and those whose deletion was interrupted. */
    async listIds(sub: string): Promise<string[]> {
      const items = await queryAll(table, {
        partition: `U#${sub}`,
        prefix: 'S#',
        projection: 'PK, SK, deleted_at, cleared',
      })
      return items
        .filter(({ deleted_at, cleared }) => deleted_at === undefined || cleared !== true)
        .map(({ SK }) => String(SK).slice('S#'.length))
    },

    /** The conversations of a project, also those without real content and those whose deletion was interrupted. */
    async listIdsOfProject(sub: string, projectId: string): Promise<string[]> {
      const items = await queryAll(table, {
        partition: `U#${sub}`,
        prefix: 'S#',
        projection: 'SK, project_id',
      })
      return items
        .filter(({ project_id }) => project_id === projectId)
        .map(({ SK }) => String(SK).slice('S#'.length))
    },

    /**
     * Publishes stored messages: creates the row if it is missing, counts, moves it up the list, and takes it
     * out of the archive.
     * @throws ConversationNotFound if the conversation was deleted
     */
    upsert: (sub: string, id: string, publication: Publication): Promise<CountUpdate> =>
      moveUp(sub, id, { from: publication.previousAt, to: publication.at }, async () => {
        if (!publication.replacesTitle) return publish(sub, id, publication)
        try {
          return await publish(sub, id, publication)
        } catch (error) {
          // the user may have named the conversation meanwhile; if it was deleted, this fails again
          if (!(error instanceof ConversationNotFound)) throw error
          return publish(sub, id, { ...publication, replacesTitle: false })
        }
      }),

    /**
     * Counts further messages of an existing conversation, and what their run used.
     * @param previousAt when the run has moved the conversation up before
     * @throws ConversationNotFound
     */
    recordActivity: (
      sub: string,
      id: string,
      {
        addedMessages,
        at,
        previousAt,
        used,
      }: { addedMessages: number; at: string; previousAt?: string; used?: RunUsage | undefined },
    ): Promise<CountUpdate> =>
      moveUp(sub, id, { from: previousAt, to: at }, () =>
        updateCounted(
          sub,
          id,
          {
            set: ['#updated_at = :at', '#usage_from = if_not_exists(#usage_from, :at)'],
            add: '#message_count :added, ',
            values: { ':at': at, ':added': addedMessages },
          },
          used,
        ),
      ),

    findRevision,

    /**
     * Corrects a count that missed a message; the position in the list stays without `movedUpAtMs`.
     * @param revision the row as it was before the messages were counted; undefined: whatever it is now
     * @returns undefined if it has changed since
     * @throws ConversationNotFound
     */
    async setCount(
      sub: string,
      id: string,
      count: number,
      {
        used,
        movedUpAtMs,
        revision,
      }: {
        used?: RunUsage | undefined
        movedUpAtMs?: number | undefined
        revision?: number | undefined
      } = {},
    ): Promise<Session | undefined> {
      const at = movedUpAtMs === undefined ? undefined : new Date(movedUpAtMs).toISOString()
      const change = {
        set: [
          '#message_count = :count',
          '#changed_at = :now',
          ...(at === undefined ? [] : ['#updated_at = :at']),
        ],
        values: {
          ':count': count,
          ':now': new Date().toISOString(),
          ...(at !== undefined && { ':at': at }),
          ...(revision !== undefined && revision > 0 && { ':seen': revision }),
        },
        ...(revision !== undefined && {
          condition: revision === 0 ? 'attribute_exists(#PK) AND attribute_not_exists(#rev)' : '#rev = :seen',
        }),
      }
      const write = () => updateCounted(sub, id, change, used)
      try {
        const { session } = await (at === undefined
          ? write()
          : moveUp(sub, id, { from: undefined, to: at }, write))
        return session
      } catch (error) {
        const isChanged = revision !== undefined && error instanceof ConversationNotFound
        if (isChanged && (await findRevision(sub, id)) !== undefined) return undefined
        throw error
      }
    },

    /**
     * Replaces a title that the product has made, unless it has changed since, the user has set it, or the conversation was deleted.
     * @param seen the title that is replaced
     */
    replaceTitle: (sub: string, id: string, { title, seen }: { title: string; seen: string }) =>
      updateIf(table, conversationKey(sub, id), {
        update: 'SET #title = :title ADD #rev :one',
        condition:
          '#title = :seen AND attribute_not_exists(#title_set) AND attribute_not_exists(#deleted_at)',
        values: { ':title': title, ':seen': seen, ':one': 1 },
      }),

    /**
     * Changes what the user decides about a conversation; the position in the list stays. Nothing else replaces a title of the user.
     * @param ledBy the assistant of somebody else whose instructions it followed without one of its own
     * @throws ConversationNotFound
     */
    async change(
      sub: string,
      id: string,
      { title, pinned, archived, project_id }: SessionChanges,
      ledBy?: string,
    ): Promise<Session> {
      const flags = Object.entries({ pinned, archived })
      const set = flags.filter(([, value]) => value === true).map(([flag]) => `#${flag} = :yes`)
      const removed = flags.filter(([, value]) => value === false).map(([flag]) => `#${flag}`)
      if (title !== undefined) set.push('#title = :title', '#title_set = :yes')
      if (project_id === null) removed.push('#project_id')
      else if (project_id !== undefined) set.push('#project_id = :project_id')
      if (ledBy !== undefined) set.push('#assistant = if_not_exists(#assistant, :led_by)')
      const isYes = set.some((assignment) => assignment.endsWith(':yes'))
      const { attributes } = await update(
        sub,
        id,
        [
          ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
          ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
          'ADD #rev :one',
        ].join(' '),
        {
          ':one': 1,
          ...(isYes && { ':yes': true }),
          ...(title !== undefined && { ':title': title }),
          ...(typeof project_id === 'string' && { ':project_id': project_id }),
          ...(ledBy !== undefined && { ':led_by': { id: '', name: ledBy, version: 0, gone: true } }),
        },
        'attribute_exists(#PK) AND attribute_not_exists(#deleted_at)',
      )
      // an entry stays when it is no longer pinned: it is too much then, which readers expect
      if (pinned === true) await entries.addPin(sub, id)
      return fromRow(sub, attributes)
    },

    /**
     * First step of a deletion, which can be repeated: the row becomes a tombstone and is no longer listed.
     * @throws ConversationNotFound when the row does not exist
     */
    async markDeleted(sub: string, id: string, nowMs: number): Promise<void> {
      await update(
        sub,
        id,
        `SET #deleted_at = :at, #ttl = :ttl REMOVE #title, #title_set, #pinned, #archived, #model, #effort, #disabled_tools, #created_at, #updated_at, #message_count, #rev, #usage_from, #counted_run, #changed_at, #import_source, #imported_at, #import_open, #import_until, #copy_of, ${usageCounterNames.map((name) => `#${name}`).join(', ')}`,
        {
          ':at': new Date(nowMs).toISOString(),
          ':ttl': Math.floor(nowMs / 1000) + tombstoneSeconds,
        },
        'attribute_exists(#PK)',
      )
    },

    /** Last step of a deletion: nothing is left of it but the tombstone. Until then an import can be undone again. */
    async markPurged(sub: string, id: string): Promise<void> {
      await update(
        sub,
        id,
        'SET #cleared = :yes REMOVE #import_id, #project_id',
        { ':yes': true },
        'attribute_exists(#deleted_at)',
      )
    },
  }
}

export type ConversationRepository = ReturnType<typeof conversationRepository>
