import { makeZip } from 'client-zip'
import type { Session } from '#shared/contracts/messages.ts'
import { emptyReply } from '#shared/reply/reply-state.ts'
import { share } from '#shared/contracts/shares.ts'
import type { Profile, Settings } from '#shared/contracts/account.ts'
import type { FileRepository } from '../files/file-repository.ts'
import { originalKey, versionKey } from '../files/file-links.ts'
import type { MemoryRepository } from '../settings/memory-repository.ts'
import type { ProjectRepository } from '../projects/project-repository.ts'
import type { PromptRepository } from '../projects/prompt-repository.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { hasTurn } from '../conversations/store/branches.ts'
import { findShownPath, type Run } from '../conversations/store/run.ts'
import { toReplyParts } from '../conversations/turns/stored-reply.ts'
import { findPicture, publishedPictureKey } from '../assistants/assistant-picture.ts'
import type { AssistantRepository } from '../assistants/assistant-repository.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import type { AllowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import { splitAddress } from '../mcp/headers.ts'
import type { LedgerEntry } from '#shared/contracts/tools.ts'
import type { LedgerRepository } from '../tools/calls/ledger-repository.ts'
import type { ScheduleRepository } from '../schedules/schedule-repository.ts'
import type { ScheduleRow } from '../schedules/schedule-row.ts'
import type { SubscriptionRepository } from '../push/subscription-repository.ts'
import type { AvatarRepository } from './avatar-repository.ts'
import type { IntegrationDeps } from '../integrations/deps.ts'
import type { Language } from '#shared/languages.ts'
import { openMarkdown, type ConversationMarkdown } from '../conversations/conversation-markdown.ts'
import { showTitle } from '../conversations/export-texts.ts'
import {
  toExportedForks,
  toExportedMessage,
  type ExportedMessage,
} from '../conversations/message-versions.ts'
import type { UsageRepository } from './usage-repository.ts'
import type { PoolUser } from './user-pool.ts'
import { formatArray, formatObject, peek } from './json-pieces.ts'

interface ConnectionRepositories {
  integrations: Pick<IntegrationDeps['integrations'], 'list'>
  credentials: Pick<IntegrationDeps['credentials'], 'list'>
  customTools: Pick<IntegrationDeps['customTools'], 'listAll'>
}

/**
 * What a person has connected and added, faulty and removed rows included, field by field: no secret, no masked secret, and no name
 * under which the vault stores one.
 */
async function loadConnectedServices(
  { integrations, credentials, customTools }: ConnectionRepositories,
  sub: string,
) {
  const [rows, credentialsById, customToolRows] = await Promise.all([
    integrations.list(sub),
    credentials.list(sub),
    customTools.listAll(sub),
  ])
  return {
    integrations: rows.map((row) => {
      const credential = credentialsById.get(row.mcp_id)
      return {
        ...row,
        credential: credential
          ? {
              status: credential.status,
              expires_at: credential.expires_at ?? null,
              updated_at: credential.updated_at,
            }
          : null,
      }
    }),
    custom_tools: customToolRows.map(({ id, name, description, server_url, is_active, created_at }) => ({
      id,
      name,
      description,
      server_url: splitAddress(server_url).shown,
      is_active,
      created_at,
    })),
  }
}

export interface ExportedUser {
  sub: string
  /** null if the user pool was unavailable */
  poolUser: PoolUser | null
  profile: Profile
  settings: Settings
  /** of what is written for people: names of conversations' files, and their Markdown */
  language: Language
}

interface ExportDeps {
  stores: Pick<ConversationStores, 'conversations' | 'messages' | 'runs' | 'shares' | 'feedback'>
  avatars: Pick<AvatarRepository, 'find'>
  files: Pick<FileRepository, 'readPages'>
  objectStore: Pick<ObjectStore, 'stream'>
  connectionRepositories: ConnectionRepositories
  ledger: Pick<LedgerRepository, 'page'>
  allowedTools: Pick<AllowedToolRepository, 'list'>
  usage: Pick<UsageRepository, 'listDays' | 'findLastActivity'>
  subscriptions: Pick<SubscriptionRepository, 'list'>
  memories: Pick<MemoryRepository, 'list'>
  projects: Pick<ProjectRepository, 'list'>
  prompts: Pick<PromptRepository, 'list'>
  schedules: Pick<ScheduleRepository, 'list'>
  assistants: Pick<AssistantRepository, 'findHeads' | 'listOwned' | 'loadVersion'>
  assistantName: string
}

/** Rows of conversations in memory; each is small. */
const conversationsAtOnce = 200

const exportedShare = share.omit({ secret: true })

interface Entry {
  name: string
  input: string | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<string>
  lastModified: Date
}

const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** What a file name of other systems may have. */
const refusedByWindows = /[<>:"|?*\\]/g

/** A file name that every operating system accepts: the day, the title's letters and digits, the start of the id. */
export function buildFileName({ id, title, created_at }: Session, language: Language): string {
  const words = showTitle(title, language)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
  const shortTitle = Array.from(words).slice(0, 60).join('').trim()
  return [created_at.slice(0, 10), shortTitle, id.slice(0, 8)].filter(Boolean).join(' ')
}

/** A reply that waits for the user is among the messages only once it has ended. */
function toWaitingReply({ sessionId, messageId, pending, transcript }: Run) {
  const { content, toolCalls, reasoning, sources, usage } = toReplyParts(transcript?.reply ?? emptyReply)
  return {
    session_id: sessionId,
    message_id: messageId,
    content,
    tool_calls: toolCalls,
    ...(reasoning && { reasoning }),
    ...(sources && { sources }),
    ...(usage && { usage }),
    questions: pending.map(({ tool, arguments: text }) => ({ tool, arguments: text })),
  }
}

/** Messages of one conversation: those of the branch that is shown, or those of other versions. A long one is read anew by each reader. */
async function openMessages({ messages, runs }: ExportDeps['stores'], sub: string, id: string) {
  const [run, firstPage] = await Promise.all([runs.findBranches(sub, id), messages.loadAfter(sub, id)])
  const branches = run?.branches
  const path = findShownPath(run ?? {})
  const isAttempt = (turn: number) => run?.replaces !== undefined && run.turn === turn
  async function* read({ isShown }: { isShown: boolean }): AsyncGenerator<ExportedMessage> {
    for (let page = firstPage; ; page = await messages.loadAfter(sub, id, page.next)) {
      for (const message of page.messages)
        if (hasTurn(path, message.turn) === isShown && !isAttempt(message.turn))
          yield toExportedMessage(message, branches)
      if (page.next === null) return
    }
  }
  return {
    forks: toExportedForks(branches),
    /** undefined if there are none */
    loadShown: () => peek(read({ isShown: true })),
    loadOthers: () => (branches ? peek(read({ isShown: false })) : Promise.resolve(undefined)),
  }
}

async function* formatMarkdown(
  session: Session,
  { shown, others }: Record<'shown' | 'others', AsyncIterable<ExportedMessage> | undefined>,
  markdown: ConversationMarkdown,
): AsyncGenerator<string> {
  yield markdown.formatTitle(session)
  for await (const message of shown ?? []) yield markdown.formatMessage(message)
  if (!others) return
  yield markdown.otherVersions
  for await (const message of others) yield markdown.formatMessage(message)
}

async function* readCalls(ledger: ExportDeps['ledger'], sub: string): AsyncGenerator<LedgerEntry> {
  for (let before: string | undefined | null; before !== null;) {
    const page: Awaited<ReturnType<typeof ledger.page>> = await ledger.page(sub, { before, limit: 200 })
    yield* page.entries
    before = page.next
  }
}

async function* readAllowedTools(allowedTools: ExportDeps['allowedTools'], sub: string) {
  yield* await allowedTools.list(sub)
}

/** Without what only the dispatcher needs. Times in UTC. */
function toExportedSchedule({ handed, writes, created_at, approved_at, ...row }: ScheduleRow) {
  const toIso = (time: number | undefined) => time && new Date(time).toISOString()
  return {
    ...row,
    v: undefined,
    writes: writes === 'ask' ? writes : writes.map(({ name }) => name),
    created_at: toIso(created_at),
    approved_at: toIso(approved_at),
    next_at: toIso(row.next_at),
    running_since: toIso(handed?.at),
    ...(row.last_run && { last_run: { ...row.last_run, at: toIso(row.last_run.at) } }),
  }
}

/** What the user has published: its newest versions, without what only the product needs of their files. */
async function readAssistants(assistants: ExportDeps['assistants'], sub: string) {
  const heads = await assistants.findHeads((await assistants.listOwned(sub)).map(({ id }) => id))
  const live = heads.filter(({ state }) => state === 'live')
  return Promise.all(
    live.map(async (head) => {
      const { id, version, name, description, starters, groups, everyone } = head
      const picture = findPicture(head)
      const content = await assistants.loadVersion(id, version)
      return {
        id,
        version,
        name,
        description,
        starters,
        audience: everyone ? 'everyone' : { groups: [...(groups ?? [])] },
        project_id: head.project_id,
        published_at: head.published_at,
        model: head.model,
        effort: head.effort,
        tools: head.tools,
        ...(picture && { picture: `assistants/${id}.${picture.type.slice('image/'.length)}` }),
        instructions: content?.instructions,
        files: content?.files.map((file) => file.name),
      }
    }),
  )
}

async function* readWaitingReplies({ runs }: ExportDeps['stores'], sub: string) {
  for await (const run of runs.readWaiting(sub)) yield toWaitingReply(run)
}

async function* generateEntries(
  {
    stores,
    avatars,
    files,
    objectStore,
    connectionRepositories,
    ledger,
    allowedTools,
    usage,
    subscriptions,
    memories,
    projects,
    prompts,
    schedules,
    assistants,
    assistantName,
  }: ExportDeps,
  { sub, poolUser, profile, settings, language }: ExportedUser,
): AsyncGenerator<Entry> {
  const now = new Date()
  const markdown = openMarkdown(language, assistantName)
  const activeAt = await usage.findLastActivity(sub)
  const account = {
    exported_at: now.toISOString(),
    id: sub,
    ...poolUser,
    ...(activeAt !== undefined && { last_active_at: activeAt }),
    profile,
    settings,
  }
  yield { name: 'account.json', input: formatJson(account), lastModified: now }
  const services = await loadConnectedServices(connectionRepositories, sub)
  yield {
    name: 'tool-calls.json',
    input: formatObject(
      {},
      { calls: readCalls(ledger, sub), always_allowed: readAllowedTools(allowedTools, sub) },
    ),
    lastModified: now,
  }
  const days = await usage.listDays(sub)
  if (days.length > 0) yield { name: 'usage.json', input: formatJson({ days }), lastModified: now }
  // without the endpoints and keys: whoever has both can send to the browser
  const browsers = (await subscriptions.list(sub)).map(({ endpoint, created_at }) => ({
    push_service: new URL(endpoint).host,
    created_at,
  }))
  if (browsers.length > 0) yield { name: 'push.json', input: formatJson(browsers), lastModified: now }
  yield { name: 'integrations.json', input: formatJson(services), lastModified: now }
  const remembered = await memories.list(sub)
  if (remembered.length > 0) yield { name: 'memories.json', input: formatJson(remembered), lastModified: now }
  const ownProjects = await projects.list(sub)
  if (ownProjects.length > 0)
    yield { name: 'projects.json', input: formatJson(ownProjects), lastModified: now }
  const ownPrompts = await prompts.list(sub)
  if (ownPrompts.length > 0) yield { name: 'prompts.json', input: formatJson(ownPrompts), lastModified: now }
  const ownSchedules = await schedules.list(sub)
  if (ownSchedules.length > 0)
    yield {
      name: 'schedules.json',
      input: formatJson(ownSchedules.map(toExportedSchedule)),
      lastModified: now,
    }
  const published = await readAssistants(assistants, sub)
  if (published.length > 0) yield { name: 'assistants.json', input: formatJson(published), lastModified: now }
  for (const { picture: name, ...version } of published) {
    const bytes = name === undefined ? undefined : await objectStore.stream(publishedPictureKey(version))
    if (name !== undefined && bytes)
      yield { name, input: bytes, lastModified: new Date(version.published_at) }
  }
  const picture = profile.avatar_id === null ? undefined : await avatars.find(sub, profile.avatar_id)
  if (picture)
    yield { name: `picture.${picture.type.slice('image/'.length)}`, input: picture.bytes, lastModified: now }

  /** names that Windows refuses, by those in the archive */
  const originalNames: Record<string, string> = {}
  for await (const page of files.readPages(sub))
    for (const { id, name, created_at, versions = [] } of page) {
      const safeName = name.replaceAll(refusedByWindows, '_')
      for (const { version, created_at: at } of versions.slice(0, -1)) {
        const earlier = await objectStore.stream(versionKey(sub, id, version))
        const of = `files/${id.slice(0, 8)} version ${version} ${safeName}`
        if (earlier) yield { name: of, input: earlier, lastModified: new Date(at) }
      }
      const input = await objectStore.stream(originalKey(sub, id))
      const stored = `${id.slice(0, 8)} ${safeName}`
      if (!input) continue
      if (!stored.endsWith(` ${name}`)) originalNames[stored] = name
      yield { name: `files/${stored}`, input, lastModified: new Date(created_at) }
    }
  if (Object.keys(originalNames).length > 0)
    yield { name: 'file-names.json', input: formatJson(originalNames), lastModified: now }

  // without the secrets: the archive must not open shared links
  const shares = await stores.shares.list(sub, now.getTime())
  const links = shares.map((link) => exportedShare.parse(link))
  if (links.length > 0) yield { name: 'shared-links.json', input: formatJson(links), lastModified: now }

  const ratings = await stores.feedback.list(sub)
  if (ratings.length > 0) {
    const rows = ratings.map(({ sessionId: session_id, messageId: message_id, ...rest }) => ({
      session_id,
      message_id,
      ...rest,
    }))
    yield { name: 'feedback.json', input: formatJson(rows), lastModified: now }
  }

  const waiting = await peek(readWaitingReplies(stores, sub))
  if (waiting) yield { name: 'waiting-replies.json', input: formatArray(waiting), lastModified: now }

  for await (const page of stores.conversations.readPages(sub, { limit: conversationsAtOnce }))
    for (const { changed_at: _, ...session } of page) {
      const { forks, loadShown, loadOthers } = await openMessages(stores, sub, session.id)
      const shown = await loadShown()
      // deleted meanwhile
      if (!shown) continue
      const name = `conversations/${buildFileName(session, language)}`
      const lastModified = new Date(session.updated_at)
      const arrays = { messages: shown, other_versions: await loadOthers() }
      yield {
        name: `${name}.json`,
        input: formatObject({ pinned: false, archived: false, ...session, ...forks }, arrays),
        lastModified,
      }
      const messages = { shown: await loadShown(), others: await loadOthers() }
      yield { name: `${name}.md`, input: formatMarkdown(session, messages, markdown), lastModified }
    }
}

/**
 * Everything that is stored of a person, as a zip that is made while it is read, with a page of rows in memory: the account with profile
 * and settings, what is connected, the picture, the files as they were uploaded or made, and each conversation as JSON and as Markdown.
 */
export function exportAccount(deps: ExportDeps, person: ExportedUser): AsyncIterable<Uint8Array> {
  return makeZip(generateEntries(deps, person)) as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>
}
