import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { countsAsMessage } from '#shared/message-content.ts'
import { maxImportedForks, maxImportedTurns, maxTitleCharacters } from '#shared/limits.ts'
import { untitled } from '#shared/untitled.ts'
import { sessionTitle } from '#shared/session-title.ts'
import { truncate } from '#shared/truncate.ts'
import { buildMessage } from './build-message.ts'
import type { LeftOutCounter } from './left-out.ts'
import { joinParts, type Documents, type MessageContent } from './message-parts.ts'

/** A file of a message: in the archive under an id or a name, or its text. */
export interface FileReference {
  readonly id: string
  readonly name: string
  readonly text?: string
  /** its content, where the export has it in the message */
  readonly bytes?: Uint8Array<ArrayBuffer>
  /** a link to a file of the assistant's sandbox, which exports rarely have */
  readonly isLinked?: boolean
}

export interface MessageNode {
  readonly id: string
  readonly parentId: string | undefined
  /**
   * @param documents as they are where the message begins
   * @returns without `content` it is not shown, and only connects others; without `documents` they stay as they are
   */
  readonly read: (documents: Documents | undefined) => {
    content?: MessageContent | undefined
    documents?: Documents | undefined
  }
}

/** A conversation as a reader of an export finds it. */
export interface MessageTree {
  readonly sourceId: string
  readonly title: string
  readonly createdMs: number | undefined
  readonly updatedMs: number | undefined
  readonly isArchived: boolean
  readonly isPinned?: boolean
  readonly projectId?: string | undefined
  /** in the order of the export */
  readonly nodes: readonly MessageNode[]
  /** the message at the end of the branch that is shown; the newest one if it is missing */
  readonly currentId: string | undefined
}

type RequestConversation = RouteRequest<'imports.add'>['conversations'][number]
type RequestMessage = RequestConversation['messages'][number]
/** A message as the service takes it, with its files before they are uploaded. */
export type BuiltMessage = Omit<RequestMessage, 'attachment_ids'> & { files: FileReference[] }
/** A conversation as the service takes it, with all its messages. */
export type BuiltConversation = Omit<RequestConversation, 'messages' | 'complete' | 'known_turns'> & {
  messages: BuiltMessage[]
}

interface ShownNode {
  readonly id: string
  readonly content: MessageContent
  parent: ShownNode | undefined
  readonly children: ShownNode[]
}

/** A user's message with the replies up to the end; the start is a reply where the message of the user is missing. */
interface Turn {
  readonly start: ShownNode
  readonly end: ShownNode
  /** all turns with the same beginning, this one included */
  versions: readonly Turn[]
  /** from 1, once it is known */
  number?: number
}

/** Longer ids are cut: the service takes no more. */
const maxSourceIdCharacters = 200

/**
 * Turns the tree of messages into numbered turns: a turn follows the one before it, or is a version of an earlier one (ADR 0049).
 * @returns undefined if no message has content
 */
export function buildConversation(tree: MessageTree, leftOut: LeftOutCounter): BuiltConversation | undefined {
  const { roots, byId, findShown, lost } = connect(tree.nodes)
  if (lost > 0) leftOut.add('messages', { count: lost })
  const createdMs = tree.createdMs ?? findTime(byId, Math.min) ?? Date.now()
  // a later import finds by this time what is newer at the source
  const updatedMs = Math.max(createdMs, tree.updatedMs ?? 0, findTime(byId, Math.max) ?? 0)
  const { messages, turns, forks, head, messageCount } = numberTurns(
    roots,
    findPath(byId, findShown(tree.currentId)),
    createdMs,
    leftOut,
  )
  if (messageCount === 0) return undefined
  return {
    source_id: truncate(tree.sourceId, maxSourceIdCharacters),
    title: buildTitle(tree.title.trim() || describeBeginning(byId)),
    created_at: new Date(createdMs).toISOString(),
    updated_at: new Date(updatedMs).toISOString(),
    ...(tree.isArchived && { archived: true }),
    ...(tree.isPinned && { pinned: true }),
    ...(tree.projectId !== undefined && { project_id: tree.projectId }),
    turns,
    ...(forks.length > 0 && { forks }),
    ...(head !== turns && { head }),
    message_count: messageCount,
    messages,
  }
}

/**
 * Numbers the turns of all branches: those of a branch follow each other, as far as no version begins between them.
 * @param path the branch that is shown
 * @returns `head`: the number of the last turn of the path; `messageCount`: the messages on the path
 */
function numberTurns(
  roots: readonly ShownNode[],
  path: ReadonlySet<ShownNode>,
  createdMs: number,
  leftOut: LeftOutCounter,
) {
  const isOnPath = ({ end }: Turn) =>
    path.has(end) && !end.children.some((child) => path.has(child) && child.content.role === 'assistant')
  const listVersions = createVersionLister(isOnPath, leftOut)
  const messages: BuiltMessage[] = []
  const forks: NonNullable<BuiltConversation['forks']> = []
  let turns = 0
  let head = 0
  let messageCount = 0
  const numberTurn = (turn: Turn) => {
    turns += 1
    turn.number = turns
    const [first] = turn.versions
    if (first !== turn && first?.number !== undefined) forks.push({ turn: turns, version_of: first.number })
    const turnMessages = buildMessages(turn, createdMs, leftOut).map((message) => ({
      ...message,
      turn: turns,
    }))
    for (const message of turnMessages) messages.push(message)
    if (isOnPath(turn)) {
      head = turns
      messageCount += turnMessages.filter(({ content }) => countsAsMessage(content)).length
    }
  }
  // a stack, because branches may be longer than the engine's own
  const pending = listVersions(roots).toReversed()
  for (let turn = pending.pop(); turn; turn = pending.pop()) {
    if (turns < maxImportedTurns) numberTurn(turn)
    else leftOut.add('messages', { count: countMessages(turn) })
    const users = turn.end.children.filter(({ content }) => content.role === 'user')
    for (const next of listVersions(users).toReversed()) pending.push(next)
  }
  return { messages, turns, forks, head, messageCount }
}

/** @returns lists the turns that begin with siblings: that of the path, and as many others as the whole conversation has room for */
function createVersionLister(isOnPath: (turn: Turn) => boolean, leftOut: LeftOutCounter) {
  let remainingForks = maxImportedForks
  return (starts: readonly ShownNode[]): readonly Turn[] => {
    const turns = starts.flatMap(listTurns)
    const pathTurn = turns.find(isOnPath) ?? turns[0]
    const others = new Set(turns.filter((turn) => turn !== pathTurn).slice(0, remainingForks))
    remainingForks -= others.size
    const versions = turns.filter((turn) => turn === pathTurn || others.has(turn))
    leftOut.add('versions', { count: turns.length - versions.length })
    for (const turn of versions) turn.versions = versions
    return versions
  }
}

/** A title for a conversation without one, from the first message of the user. */
function describeBeginning(byId: ReadonlyMap<string, ShownNode>): string {
  const first = [...byId.values()].find(({ content }) => content.role === 'user')
  const { parts = [], files = [] } = first?.content ?? {}
  return sessionTitle(
    joinParts(parts),
    files.map(({ name }) => name),
  )
}

/** Much more than a title takes: a whole message may stand in its place, and is not searched for blanks. */
const maxReadTitleCharacters = 10 * maxTitleCharacters

const buildTitle = (title: string) =>
  truncate(
    truncate(title, maxReadTitleCharacters)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    maxTitleCharacters,
  ).trim() || untitled

/**
 * Connects the messages that are shown into trees. A message without a parent begins a tree, one whose parent is missing follows the newest
 * before it; messages in a cycle are lost, and counted.
 * @returns `findShown`: finds the message with an id, or the next one above it that is shown
 */
function connect(nodes: readonly MessageNode[]) {
  const all = new Map(nodes.map((node) => [node.id, node]))
  const childrenById = new Map<string | undefined, MessageNode[]>()
  for (const node of all.values()) {
    const parentId = node.parentId !== undefined && all.has(node.parentId) ? node.parentId : undefined
    const children = childrenById.get(parentId)
    if (children) children.push(node)
    else childrenById.set(parentId, [node])
  }
  const roots: ShownNode[] = []
  const byId = new Map<string, ShownNode>()
  /** for each message: the last that is shown, itself or above it, the documents behind it, and the parent that its tree lacks */
  const above = new Map<
    string,
    { shown: ShownNode | undefined; documents: Documents | undefined; missing: string | undefined }
  >()
  /** the beginnings of trees, by the parent that they lack */
  const orphans = new Map<string, ShownNode[]>()
  const pending = (childrenById.get(undefined) ?? []).toReversed()
  let reached = 0
  for (let node = pending.pop(); node; node = pending.pop()) {
    reached += 1
    const before = node.parentId === undefined ? undefined : above.get(node.parentId)
    const parent = before?.shown
    const { content, documents = before?.documents } = node.read(before?.documents)
    const missing = before ? before.missing : node.parentId
    let shownNode = parent
    if (content) {
      shownNode = { id: node.id, content, parent, children: [] }
      byId.set(node.id, shownNode)
      const siblings = parent?.children ?? roots
      siblings.push(shownNode)
      if (!parent && missing !== undefined) {
        const group = orphans.get(missing)
        if (group) group.push(shownNode)
        else orphans.set(missing, [shownNode])
      }
    }
    above.set(node.id, { shown: shownNode, documents, missing })
    // not spread: a call takes a limited number of arguments
    for (const child of (childrenById.get(node.id) ?? []).toReversed()) pending.push(child)
  }
  roots.sort(byTime)
  adopt([...orphans.values()], roots[0], byId)
  for (const { children } of byId.values()) children.sort(byTime)
  const findShown = (id: string | undefined) => above.get(id ?? '')?.shown
  return { roots: roots.filter(({ parent }) => !parent), byId, findShown, lost: all.size - reached }
}

const byTime = (a: ShownNode, b: ShownNode) => (a.content.atMs ?? 0) - (b.content.atMs ?? 0)

/**
 * Lets messages whose parent is missing follow the newest one before them: as versions of the first message, they would hide what was said
 * before. Those that lack the parent of the first message are its versions, and those without a time stay where they are.
 * @param groups messages that lack the same parent
 */
function adopt(
  groups: readonly (readonly ShownNode[])[],
  first: ShownNode | undefined,
  byId: ReadonlyMap<string, ShownNode>,
): void {
  const later = groups.filter((group) => first && !group.includes(first))
  if (later.length === 0) return
  const timed = [...byId.values()].filter(({ content }) => content.atMs !== undefined).toSorted(byTime)
  const trees = createTrees(byId)
  for (const group of later) {
    const atMs = group.reduce((least, { content }) => Math.min(least, content.atMs ?? Infinity), Infinity)
    const before = atMs === Infinity ? undefined : timed[countEarlier(timed, atMs) - 1]
    // clocks may be wrong: a tree does not follow itself
    if (!before || group.includes(trees.find(before))) continue
    for (const orphan of group) {
      trees.join(orphan, before)
      orphan.parent = before
      before.children.push(orphan)
    }
  }
}

/** How many messages are earlier than a time. @param sorted by time */
function countEarlier(sorted: readonly ShownNode[], atMs: number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle]?.content.atMs ?? 0) < atMs) from = middle + 1
    else to = middle
  }
  return from
}

/** Finds the beginnings of trees, also of those that were joined, in almost linear time. */
function createTrees(byId: ReadonlyMap<string, ShownNode>) {
  const tops = new Map<ShownNode, ShownNode>()
  // parents come first
  for (const node of byId.values()) tops.set(node, (node.parent && tops.get(node.parent)) ?? node)
  const joined = new Map<ShownNode, ShownNode>()
  const find = (node: ShownNode): ShownNode => {
    const passed: ShownNode[] = []
    let top = tops.get(node) ?? node
    for (let next = joined.get(top); next; next = joined.get(top)) {
      passed.push(top)
      top = next
    }
    for (const one of passed) joined.set(one, top)
    return top
  }
  return { find, join: (top: ShownNode, node: ShownNode) => void joined.set(top, find(node)) }
}

/** The branch that is shown: up from the current message, by default the newest one, and down to the newest end. */
function findPath(byId: ReadonlyMap<string, ShownNode>, shown: ShownNode | undefined): Set<ShownNode> {
  let newest: ShownNode | undefined
  for (const node of byId.values())
    if (!newest || (node.content.atMs ?? 0) >= (newest.content.atMs ?? 0)) newest = node
  const current = shown ?? newest
  const path = new Set<ShownNode>()
  for (let node = current; node; node = node.parent) path.add(node)
  for (let node = current?.children.at(-1); node; node = node.children.at(-1)) path.add(node)
  return path
}

function findTime(byId: ReadonlyMap<string, ShownNode>, choose: (a: number, b: number) => number) {
  let timeMs: number | undefined
  for (const { content } of byId.values())
    if (content.atMs !== undefined)
      timeMs = timeMs === undefined ? content.atMs : choose(timeMs, content.atMs)
  return timeMs
}

/** The turns that begin with a message: one for each end of its replies. */
function listTurns(start: ShownNode): Turn[] {
  const turns: Turn[] = []
  const pending = [start]
  for (let node = pending.pop(); node; node = pending.pop()) {
    const replies = node.children.filter(({ content }) => content.role === 'assistant')
    if (replies.length === 0 || replies.length < node.children.length)
      turns.push({ start, end: node, versions: [] })
    for (const reply of replies.reverse()) pending.push(reply)
  }
  return turns
}

/** A turn has one message of the user, and one that joins the replies. */
const countMessages = ({ start, end }: Turn) =>
  Number(start.content.role === 'user') + Number(end.content.role === 'assistant')

function buildMessages({ start, end }: Turn, createdMs: number, leftOut: LeftOutCounter) {
  const replies: ShownNode[] = []
  for (let node: ShownNode | undefined = end; node; node = node === start ? undefined : node.parent)
    if (node.content.role === 'assistant') replies.push(node)
  replies.reverse()
  const hasUser = start.content.role === 'user'
  const fallbackMs = start.content.atMs ?? start.parent?.content.atMs ?? createdMs
  return [
    ...(hasUser ? [buildMessage('user', [start], fallbackMs, leftOut)] : []),
    ...(replies.length > 0 ? [buildMessage('assistant', replies, fallbackMs, leftOut)] : []),
  ]
}
