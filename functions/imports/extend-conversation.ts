import type { ImportedConversation, importResponse } from '#shared/contracts/imports.ts'
import type * as z from 'zod'
import {
  attachTurn,
  findPath,
  hasTurn,
  listFollowers,
  maxForks,
  type Branches,
} from '../conversations/store/branches.ts'
import { claimFinishedRun } from '../conversations/store/claim-finished-run.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { ConversationNotFound, RunInProgress } from '../conversations/store/errors.ts'
import { recountMessages } from '../conversations/store/recount-messages.ts'
import { retryIfRunChanged } from '../conversations/store/retry-if-run-changed.ts'
import { isActive, isEmptyAttempt, type Run } from '../conversations/store/run.ts'
import { commitReplacement } from '../conversations/turns/commit-replacement.ts'
import { recoverRun } from '../conversations/turns/recover-run.ts'
import { deriveUuid, storeMessages, type ImportDeps } from './store-messages.ts'

interface ConversationIds {
  sub: string
  sessionId: string
}
type Message = ImportedConversation['messages'][number]

/** A turn by the times of its messages, which are the source's. */
interface TurnTimes {
  user?: string | undefined
  reply?: string | undefined
}
const formatKey = ({ user = '', reply = '' }: TurnTimes) => `${user} ${reply}`
const findNewestTime = ({ user = '', reply = '' }: TurnTimes) => (user > reply ? user : reply)

/**
 * Adds to a conversation the turns of a newer export; can be repeated. Turns of an earlier import are recognised by the times of their
 * messages, or by their texts in the same place, because some exports leave times out. An older turn that is missing here was deleted here,
 * and stays deleted. What the person wrote here stays, and stays shown.
 * @param until later messages of the source are not there
 * @throws RunInProgress while a reply is written or waits, ConversationNotFound, StorageFull, RunChanged
 */
export const extendConversation = (
  deps: ImportDeps,
  { until, ...ids }: ConversationIds & { until: string },
  conversation: ImportedConversation,
): Promise<Omit<z.output<typeof importResponse>['conversations'][number], 'source_id'>> =>
  retryIfRunChanged(async () => {
    const { stores, imports } = deps
    const { sub, sessionId } = ids
    const run = await loadEndedRun(stores, ids)
    const attempt = run && isEmptyAttempt(run) ? run : undefined
    const all = await stores.messages.loadTimes(sub, sessionId)
    const times = all.filter(({ turn }) => turn !== attempt?.turn)
    const plan = planTurns({ run, times, until }, conversation)
    if (plan.messages.length > 0) {
      await stores.texts.reserveText(sub, sessionId, Buffer.byteLength(JSON.stringify(plan.messages)))
      const { newest: turn, branches } = plan
      // first, so that no message of the person gets one of these numbers
      if (turn !== (run?.turn ?? 0)) {
        // the conversation goes on without it
        if (attempt) {
          await stores.messages.deleteAttempt(attempt)
          await stores.files.deleteConversationFiles(sub, [sessionId], new Set(attempt.fileIds))
        }
        await claimFinishedRun(
          stores,
          {
            ...ids,
            runId: crypto.randomUUID(),
            turn,
            messageId: deriveUuid(sessionId, turn, 'user'),
            replyId: deriveUuid(sessionId, turn, 'reply'),
            ...(branches && { branches }),
          },
          run,
        )
      }
      await storeMessages(deps, ids, plan)
      const session = await stores.conversations.find(sub, sessionId)
      if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
      const movedUpAtMs = Math.max(Date.parse(session.updated_at), Date.parse(conversation.updated_at))
      await recountMessages(stores, { ...ids, branches: branches ?? run?.branches }, undefined, movedUpAtMs)
    }
    const last = conversation.complete ? conversation.updated_at : plan.until
    if (Date.parse(last) > Date.parse(until)) await imports.setUntil(sub, sessionId, last)
    const { unplaced } = plan
    return { state: 'extended', added: plan.messages.length, ...(unplaced > 0 && { unplaced }) }
  })

/** @throws RunInProgress */
async function loadEndedRun(stores: ConversationStores, { sub, sessionId }: ConversationIds) {
  const found = await stores.runs.find(sub, sessionId)
  const recovered = found && (await recoverRun(stores, found))
  const run = (recovered && (await commitReplacement(stores, recovered)))?.run ?? recovered
  if (run && isActive(run)) throw new RunInProgress(`run ${run.runId} is ${run.status}`)
  return run
}

type StoredTime = Awaited<ReturnType<ConversationStores['messages']['loadTimes']>>[number]

/** The turns of messages, the oldest first: what a turn follows is older. */
function groupTurns(messages: readonly Message[]) {
  const turns = new Map<number, TurnTimes & { turn: number; messages: Message[] }>()
  for (const message of messages) {
    const { turn, role, created_at } = message
    const group = turns.get(turn) ?? { turn, messages: [] }
    turns.set(turn, group)
    group[role === 'user' ? 'user' : 'reply'] = created_at
    group.messages.push(message)
  }
  return [...turns.values()].sort(
    (a, b) => findNewestTime(a).localeCompare(findNewestTime(b)) || a.turn - b.turn,
  )
}

/** The texts of a turn, to compare them. */
const formatTexts = (messages: readonly { kind: string; content: string }[]) =>
  messages
    .map(({ kind, content }) => `${kind === 'user' ? 'user' : 'reply'} ${content}`)
    .toSorted()
    .join('\u0000')

/** Turns of an earlier import. */
function groupStored(rows: readonly StoredTime[]): Map<number, TurnTimes & { texts: string }> {
  const imported = rows.filter((row) => row.imported && row.kind !== 'stop')
  return new Map(
    [...Map.groupBy(imported, ({ turn }) => turn)].map(([turn, messages]) => [
      turn,
      {
        ...Object.fromEntries(messages.map(({ kind, created_at }) => [kind, created_at])),
        texts: formatTexts(messages),
      },
    ]),
  )
}

/** The turn that another one follows, by their numbers in the export; 0: none. */
const findPrevious = ({ forks = [] }: ImportedConversation, turn: number): number =>
  (forks.find((fork) => fork.turn === turn)?.version_of ?? turn) - 1

/** Decides where the new turns go; pure. */
function planTurns(
  { run, times, until }: { run: Run | undefined; times: readonly StoredTime[]; until: string },
  conversation: ImportedConversation,
): {
  messages: Message[]
  newest: number
  branches: Branches | undefined
  until: string
  unplaced: number
} {
  const stored = groupStored(times)
  const turnByKey = new Map([...stored].map(([turn, group]) => [formatKey(group), turn]))
  const withMessages = new Set(times.map(({ turn }) => turn))
  const hasMessages = (turn: number) => withMessages.has(turn)
  /** by their numbers in the export */
  const storedTurns = new Map<number, number>()
  for (const { turn, user_at: user, reply_at: reply } of conversation.known_turns ?? []) {
    const found = turnByKey.get(formatKey({ user, reply }))
    if (found !== undefined) storedTurns.set(turn, found)
  }
  const before = run?.branches
  let newest = Math.max(run?.turn ?? 0, ...withMessages)
  let tree: Branches = { forks: [], ...before }
  const shown = tree.head ?? newest
  const messages: Message[] = []
  let plannedUntil = until
  let unplaced = 0
  for (const group of groupTurns(conversation.messages)) {
    const time = findNewestTime(group)
    if (time > plannedUntil) plannedUntil = time
    const known = turnByKey.get(formatKey(group))
    if (known !== undefined) storedTurns.set(group.turn, known)
    if (known !== undefined || time <= until) continue
    // its question was imported before the reply was there
    const unanswered = turnByKey.get(formatKey({ user: group.user }))
    if (group.user !== undefined && unanswered !== undefined && !hasKind(times, unanswered, 'reply')) {
      storedTurns.set(group.turn, unanswered)
      messages.push(
        ...group.messages.flatMap((one) => (one.role === 'user' ? [] : [{ ...one, turn: unanswered }])),
      )
      continue
    }
    const previous = findPrevious(conversation, group.turn)
    const parent = previous === 0 ? 0 : (storedTurns.get(previous) ?? findLastBefore(stored, group))
    const texts = formatTexts(group.messages.map(({ role, content }) => ({ kind: role, content })))
    const same = listFollowers(tree, parent, newest, hasMessages).find(
      (turn) => stored.get(turn)?.texts === texts,
    )
    if (same !== undefined) {
      storedTurns.set(group.turn, same)
      continue
    }
    if (tree.forks.length >= maxForks) {
      unplaced += group.messages.length
      continue
    }
    newest += 1
    tree = attachTurn(tree, newest, parent, hasMessages)
    withMessages.add(newest)
    storedTurns.set(group.turn, newest)
    messages.push(...group.messages.map((one) => ({ ...one, turn: newest })))
  }
  const isContinuedHere = times.some(({ imported }) => !imported)
  // the rest may follow in the next request
  const reached = hasTurn(findPath({ forks: tree.forks }, newest), shown) ? newest : shown
  const wanted = isContinuedHere
    ? shown
    : (storedTurns.get(conversation.head ?? conversation.turns) ?? reached)
  const branches: Branches = { forks: tree.forks, ...(wanted !== newest && { head: wanted }) }
  const hasBranches = before !== undefined || branches.forks.length > 0 || branches.head !== undefined
  return {
    messages,
    newest,
    branches: hasBranches ? branches : undefined,
    until: plannedUntil,
    unplaced,
  }
}

const hasKind = (times: readonly StoredTime[], turn: number, wanted: StoredTime['kind']) =>
  times.some((one) => one.turn === turn && one.kind === wanted)

/** The place of a turn whose predecessor was deleted here: behind the newest imported turn before it. */
function findLastBefore(stored: ReadonlyMap<number, TurnTimes>, turn: TurnTimes): number {
  let found = 0
  let foundAt = ''
  for (const [number, group] of stored) {
    const at = findNewestTime(group)
    if (at >= foundAt && at < findNewestTime(turn)) [found, foundAt] = [number, at]
  }
  return found
}
