import type { Attachment } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { isMostlySameText } from '../../conversations/turns/mostly-same-text.ts'
import { may } from '../../platform/group-limits.ts'
import { waitForAll } from '../../platform/wait-for-all.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { areKnown, listRecipients } from '../../tools/calls/recipients.ts'
import type { Tool } from '../../tools/calls/tool.ts'
import { formatSummary } from '../conversation-summary.ts'
import type { ModelMessage } from '../../models/model.ts'
import { loadUserTools, type OpenedReply, type Prompt, type Reply, type ReplyDeps } from '../reply.ts'
import { hasConnection } from '../waiting-tasks.ts'
import { isKnownAddress } from '../tools/page-addresses.ts'
import { assistantTools } from '../tools/assistant-tools.ts'
import { memoryTools } from '../tools/memory-tools.ts'
import { isApprovedFor } from '../tools/scheduled-writes.ts'
import type { ShowFiles } from '../tools/result-files.ts'
import { resultTables } from '../tools/result-tables.ts'
import { findReadFiles } from './find-read-files.ts'
import { noFiles, toTurn } from './choose-cut.ts'
import type { ContextLimits } from './context-limits.ts'
import { addNotes } from './message-notes.ts'
import { buildInstructions, formatMissing, type AssistantContext } from './instructions.ts'
import { buildModelMessages, findUserMessage, type PromptMessage } from './prompt.ts'
import { listGiven, loadConversationFiles } from './conversation-files.ts'
import { pageRoom, type PageRoom } from './shown-pages.ts'
import { isTypedFact } from './typed-fact.ts'
import { listUntrustedSources, nameSources } from './untrusted-content.ts'

/** The part of a conversation's share of the prompt that memories may take. */
const memoryShare = 1 / 8

/** The part of the room for documents that those of a conversation have beside those of its project. */
const ownDocumentShare = 1 / 2

/** The user's memories, if a reply may use them: memory is on and allowed, and the conversation is saved. */
const findUsableMemories = ({ limits = {} }: ReplyDeps, { user, isSaved }: OpenedReply) =>
  isSaved && user.settings.memory && may(limits, 'memory') ? user.memories : undefined

/**
 * Loads the tools for schedules, if a reply may change them: the groups allow it, the conversation is saved, and somebody is there. A run of
 * a schedule never gets them: its own prompt, or what it reads, could have it create others.
 */
async function loadScheduleTools(
  deps: ReplyDeps,
  reply: OpenedReply,
): Promise<((listOffered: () => readonly Tool[]) => Tool[]) | undefined> {
  const { openSchedules, limits = {} } = deps
  if (!openSchedules || !reply.isSaved || reply.schedule || !may(limits, 'schedules')) return undefined
  const { scheduleTools } = await import('../tools/schedule-tools.ts')
  return (listOffered) => scheduleTools({ ...deps, openSchedules }, reply, listOffered)
}

/** Loads the prompt: instructions, conversation with its files, and tools. Reads files, and lists the tools of servers: a slow one takes seconds. */
export async function loadPrompt(givenDeps: ReplyDeps, givenReply: OpenedReply): Promise<Prompt> {
  const { deps, reply, assistant } = await withAssistant(givenDeps, givenReply)
  const { sub, history, hasEarlier, hints, user, contextLimits: limits, modelName: model } = reply
  const loadingProject = loadProject(deps, reply, limits)
  const loadContexts = async () => {
    // what a project has changes seldom, so the beginning of the prompt stays the same
    const { size = noFiles, storedFiles = [] } = (await loadingProject) ?? {}
    const left = limits.maxDocumentBytes - size.documentBytes
    const maxDocumentBytes = Math.max(left, Math.ceil(limits.maxDocumentBytes * ownDocumentShare))
    const beside = { files: storedFiles, size: { ...size, documentBytes: 0 } }
    return loadConversationFiles(deps.fileDeps, reply, { ...limits, maxDocumentBytes }, beside)
  }
  const [
    { cut, conversation, contexts, givenFiles },
    firstOffer,
    connected,
    project,
    createScheduleTools,
    storedRecipients = [],
    copiedPrompts = [],
  ] = await waitForAll([
    loadContexts(),
    loadUserTools(deps, reply),
    user.connected,
    loadingProject,
    loadScheduleTools(deps, reply),
    reply.schedule && deps.scheduledRecipients?.list(sub, reply.schedule.id),
    // only the rule of the memory needs them
    findUsableMemories(deps, reply) && deps.listCopiedPrompts?.(sub),
    reloadImages(deps, reply),
  ])
  const newest = history.at(-1)
  if (!reply.isSaved && !reply.progress.given && newest?.role === 'user' && newest.attachments?.length)
    await (await import('./send-texts.ts')).sendTexts(deps.fileDeps, reply, newest)
  let offer = firstOffer
  const memories = findUsableMemories(deps, reply)
  const instructions = buildInstructions(deps.assistantName, hints, reply.startDate, {
    displayName: user.profile?.display_name,
    houseInstructions: deps.houseInstructions,
    ownInstructions: user.settings.instructions,
    hasMemory: memories !== undefined,
    project,
    assistant,
    offer,
  })
  const sentMessages = conversation.filter((message, index) => toTurn(message, index) >= (cut?.from ?? 0))
  const { given, notes } = addNotes(sentMessages, {
    given: reply.progress.given,
    startDate: reply.startDate,
    memories,
    maxMemoryCharacters: limits.maxCharacters * memoryShare,
    missing: formatMissing(offer.missing),
    files: listGiven(conversation.at(-1), contexts),
  })
  const { messages: ownMessages, firstSent } = buildModelMessages(instructions, conversation, {
    contexts,
    givenFiles,
    notes,
    limits,
    hasEarlier,
    cut,
    model,
  })
  const firstTurn = firstSent?.turn
  const summary = firstTurn === undefined ? undefined : await reply.summaryStore?.find(firstTurn)
  const toolsForMemory = memories ? memoryTools(deps.memories, sub, memories) : []
  const toolsForSchedules = createScheduleTools?.(() => offer.tools) ?? []
  const messages = project?.addFiles(ownMessages, assistant ? 'the assistant' : 'the project') ?? ownMessages
  // the files of the project are read like files of the conversation
  const filesAndHistory: readonly PromptMessage[] = [
    { role: 'user', content: '', attachments: project?.files ?? [] },
    ...history,
  ]
  const tables = resultTables(reply.events)
  const ownTools = [
    ...assistantTools(deps, {
      ...reply,
      listResultTables: tables.list,
      listFiles: () =>
        listSearchedFiles(deps.fileDeps, reply, filesAndHistory, reply.events.reply.attachments),
    }),
    ...toolsForMemory,
    ...toolsForSchedules,
  ]
  // texts of its publisher could ask for anything, also those in the conversation when it is gone, or those of a copy that its user has not
  // saved: nothing runs unasked
  const othersAssistants = [
    ...(givenReply.assistant?.isMine === false ? [givenReply.assistant.name] : []),
    ...(project?.copiedFrom === undefined ? [] : [project.copiedFrom]),
  ]
  const message = findUserMessage(history)?.content ?? ''
  const promptSources = nameSources(
    'assistant',
    copiedPrompts.flatMap(({ text, copied_from = '' }) =>
      isMostlySameText(message, text) ? copied_from : [],
    ),
  )
  const assistantSource =
    othersAssistants.length > 0 ? [{ kind: 'assistant' as const, names: othersAssistants }] : []
  const listRead = (isUnattended: boolean) =>
    listUntrustedSources({
      history: filesAndHistory,
      offer,
      reply: reply.events.reply,
      hasSummary: summary !== undefined || (isUnattended && hasEarlier),
      isUnattended,
    })
  const listSources = () => [...assistantSource, ...promptSources, ...listRead(false)]
  const uses = [
    ...(project?.uses ?? []),
    ...[...givenFiles.values(), [...contexts.values()]].flat().flatMap(({ use }) => use ?? []),
  ]
  const partFiles = uses.filter(({ given: part, of }) => part < of)
  const userText = promptSources.length > 0 ? '' : findTypedText(history)
  const approvedRecipients = [...storedRecipients]
  const goesToKnown = (tool: Tool, input: Record<string, unknown>) =>
    areKnown(listRecipients(tool, input), {
      prompt: message,
      approved: approvedRecipients,
    })
  const isReadPage = ({ name, integration }: Tool) => name === 'read_page' && integration === undefined
  const mayReadPage = (input: Record<string, unknown>) =>
    isKnownAddress(String(input['url']), {
      history,
      reply: reply.events.reply,
      onlyHosts: deps.webPages?.asks === true,
    })
  const isTyped = ({ name }: Tool, input: Record<string, unknown>) =>
    name === 'remember' && isTypedFact(String(input['text']), userText)
  return {
    messages: summary ? addSummary(messages, formatSummary(summary)) : messages,
    firstTurn,
    given,
    cut,
    sent: {
      ...(firstSent && findStart(history, firstSent)),
      ...(partFiles.length > 0 && { partFiles }),
    },
    hasReadOthers: () => listSources().length > 0,
    tools: [...ownTools, ...offer.tools],
    async findChangedTools() {
      if (!(await deps.toolProvider.takeToolChanges(sub))) return undefined
      offer = await loadUserTools(deps, reply)
      return [...ownTools, ...offer.tools]
    },
    // switching memory on allows these tools, unless something other than the user may have asked for the call
    isAllowed: (tool: Tool, input: Record<string, unknown> = {}) =>
      // the address is the user's own, whoever has the assistant or the schedule call the tool
      isReadPage(tool)
        ? mayReadPage(input)
        : othersAssistants.length === 0 &&
          // nobody is there: what was always allowed in chats, or typed, does not count
          (reply.schedule
            ? isApprovedFor(reply.schedule, tool) && (listRead(true).length === 0 || goesToKnown(tool, input))
            : toolsForMemory.includes(tool)
              ? isTyped(tool, input) || listSources().length === 0
              : // what changes schedules asks each time
                !toolsForSchedules.includes(tool) && offer.isAllowed(tool)),
    listUntrusted: (tool: Tool) =>
      toolsForMemory.includes(tool) || toolsForSchedules.includes(tool) || isReadPage(tool)
        ? listSources()
        : [
            ...assistantSource,
            ...(reply.schedule && isApprovedFor(reply.schedule, tool) ? listRead(true) : []),
          ],
    async noteApproved(tool: Tool, input: Record<string, unknown>) {
      if (!reply.schedule) return
      const recipients = listRecipients(tool, input)
      approvedRecipients.push(...recipients)
      try {
        await deps.scheduledRecipients?.add(sub, reply.schedule.id, recipients)
      } catch (error) {
        reply.log.warn('approved recipients could not be stored', { error })
      }
    },
    // the user's groups may no longer allow any tools
    isConnected: (mcpId: string) => hasConnection(connected, mcpId, deps.toolsAllowed),
    showFiles: lazyShowFiles(deps, reply),
    resultTables: tables,
  }
}

/**
 * What nobody but the user can have written of the message that is answered: nothing of one that came from an export, or where an app of a
 * server is shown, which may have put a message into the input field.
 */
function findTypedText(history: readonly PromptMessage[]): string {
  const message = findUserMessage(history)
  const mayBeSuggested = history.some(({ tool_calls: calls = [] }) => calls.some(({ result }) => result.app))
  return message?.imported || mayBeSuggested ? '' : (message?.content ?? '')
}

const halve = ({ pictures, pdfPages, pdfBytes }: PageRoom): PageRoom => ({
  pictures: Math.floor(pictures / 2),
  pdfPages: Math.floor(pdfPages / 2),
  pdfBytes: pdfBytes / 2,
})

/** What the prompt is loaded from; the code of assistants is loaded with the first one. */
async function withAssistant(
  deps: ReplyDeps,
  reply: OpenedReply,
): Promise<{ deps: ReplyDeps; reply: OpenedReply; assistant?: AssistantContext }> {
  if (!reply.assistant) return { deps, reply }
  const { addAssistant } = await import('./assistant.ts')
  return addAssistant(deps, reply)
}

/** The project of the conversation; the code is loaded with the first one. */
async function loadProject(
  deps: ReplyDeps,
  { sub, projectId, model }: Pick<Reply, 'sub' | 'projectId' | 'model'>,
  { maxDocumentBytes: documentBytes, maxPagePictures }: ContextLimits,
) {
  if (projectId === undefined) return undefined
  const takesPdfs = (await model.takesPdfs?.()) ?? false
  const { addProjectFiles, loadProjectContext } = await import('./project.ts')
  const context = await loadProjectContext(deps, sub, projectId, {
    documentBytes,
    // the same for every message: what the conversation shows does not change it
    pages: halve(pageRoom({ maxPagePictures, takesPdfs })),
  })
  return (
    context && {
      ...context,
      addFiles: (messages: ModelMessage[], of: string) => addProjectFiles(messages, context, of),
    }
  )
}

/**
 * The files that a search may find something in: those of the conversation, also of messages that the prompt leaves out, and of its project.
 * Documents of tools come last: prompts name the tables of the user's own files without them.
 */
async function listSearchedFiles(
  { files, startReading }: ReplyDeps['fileDeps'],
  { sub, sessionId, hasEarlier }: Pick<Reply, 'sub' | 'sessionId' | 'hasEarlier'>,
  known: readonly PromptMessage[],
  shown: readonly Attachment[],
): Promise<StoredFile[]> {
  const listAttachments = (of: PromptMessage['role']) =>
    known.flatMap(({ role, attachments = [] }) => (role === of ? attachments : []))
  const fromTools = [...listAttachments('assistant'), ...shown].filter(isDocument)
  const ids = [...listAttachments('user'), ...fromTools].flatMap(({ id }) => (id === '' ? [] : id))
  const earlier =
    hasEarlier && sessionId !== undefined
      ? (await files.list(sub)).filter(({ used_in }) => used_in?.has(sessionId)).map(({ id }) => id)
      : []
  // in the order of the conversation, in which tables are named
  const inOrder = [...new Set([...ids, ...earlier])]
  const found = await findReadFiles({ files, startReading }, sub, inOrder)
  return inOrder.flatMap((id) => found.get(id) ?? [])
}

const loadResultFiles = () => import('../tools/result-files.ts')

/** Shows the files of tools' results; the code is loaded with the first of them. */
function lazyShowFiles({ fileDeps }: ReplyDeps, reply: OpenedReply): ShowFiles {
  let showFiles: ShowFiles | undefined
  return async (untrusted, integration) => {
    const { showResultFiles } = await loadResultFiles()
    showFiles ??= showResultFiles(fileDeps, reply)
    return showFiles(untrusted, integration)
  }
}

/** The images that tools returned in earlier turns, and before the reply waited. */
async function reloadImages({ fileDeps }: ReplyDeps, { sub, history, progress }: OpenedReply): Promise<void> {
  const rounds = [
    ...history.flatMap(({ transcript }) => transcript?.messages ?? []),
    ...progress.roundMessages,
  ]
  if (!rounds.some((message) => message.role === 'tool' && message.images)) return
  const { loadResultImages } = await loadResultFiles()
  await loadResultImages(fileDeps, sub, rounds)
}

/**
 * Where the messages of the prompt begin: the id of the first one. Messages of a temporary chat have none, so its turns are
 * counted from the end: earlier ones may be missing here.
 */
function findStart(history: readonly PromptMessage[], firstSent: PromptMessage) {
  if (firstSent.id !== undefined) return { contextStart: firstSent.id }
  const sent = history.slice(history.indexOf(firstSent))
  return { contextTurns: sent.filter(({ role }) => role === 'user').length }
}

/** Adds a summary of the messages before the first one to the instructions. */
function addSummary([system, ...messages]: ModelMessage[], summary: string): ModelMessage[] {
  if (system?.role !== 'system') return messages
  return [{ ...system, content: `${system.content}\n\n${summary}` }, ...messages]
}
