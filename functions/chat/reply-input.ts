import type { Profile, Settings } from '#shared/contracts/account.ts'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { Memory } from '#shared/contracts/memory.ts'
import type { ChatRequest, DisabledTool } from '#shared/contracts/chat.ts'
import type { User } from '../platform/auth/access-token.ts'
import type { ApiCall } from '../platform/http/api-function.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import type { MessageFileDeps } from '../files/file-links.ts'
import { deleteTurnFiles } from '../files/delete-turn-files.ts'
import { formatSummary, type SummaryStore } from './conversation-summary.ts'
import type { ModelMessage } from './model/model.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'
import type { MemoryRepository } from '../settings/memory-repository.ts'
import type { ProjectRepository } from '../projects/project-repository.ts'
import type { ProfileRepository } from '../settings/profile-repository.ts'
import type { SettingsRepository } from '../settings/settings-repository.ts'
import type { ConnectionRows } from '../tools/offered-tools.ts'
import type { Tool } from '../tools/tool.ts'
import type { ToolProvider } from '../tools/tool-provider.ts'
import { endPendingCalls, hasConnection } from './waiting-tasks.ts'
import { memoryTools } from './tools/memory-tools.ts'
import { assistantTools } from './tools/assistant-tools.ts'
import { searchFilesTool } from './tools/search-files-tool.ts'
import type { ShowFiles } from './tools/result-files.ts'
import { addNotice, type Progress } from './progress.ts'
import type { ImageModel } from './model/image-model.ts'
import { limitContext } from './prompt/context-limits.ts'
import { formatMemories } from './prompt/memory-context.ts'
import { isTypedFact } from './prompt/typed-fact.ts'
import { listUntrustedSources } from './prompt/untrusted-content.ts'
import { loadAttachmentContexts } from './prompt/attachment-context.ts'
import type { ModelChoice, ModelList } from './model/model-list.ts'
import type { Spending } from './reply-budget.ts'
import { addProjectFiles, loadProjectContext } from './prompt/project-context.ts'
import { buildInstructions, buildModelMessages, type PromptMessage } from './prompt/prompt.ts'
import type { ReplyInput } from './run-reply.ts'

/** Collaborators of replies. */
export interface ReplyDeps {
  models: ModelList
  imageModel: ImageModel | undefined
  assistantName: string
  fileDeps: MessageFileDeps
  profiles: Pick<ProfileRepository, 'find'>
  settings: Pick<SettingsRepository, 'find'>
  memories: Pick<MemoryRepository, 'add' | 'list' | 'remove'>
  projects: Pick<ProjectRepository, 'find' | 'require'>
  toolProvider: ToolProvider
  /** which connections' tools the user may use; undefined: all */
  toolsAllowed?: ToolsAllowed | undefined
  /** whether an account was disabled or erased after a token of it was issued */
  wasDisabled: (user: Pick<User, 'sub' | 'issuedAt'>) => Promise<boolean>
}

/** The data of a user that a reply depends on. */
export interface UserContext {
  profile: Profile | undefined
  settings: Settings
  memories: readonly Memory[]
  connected: ConnectionRows
}

interface ReplyContext {
  sub: string
  user: UserContext
  history: readonly PromptMessage[]
  /** whether the conversation has messages before `history` */
  hasEarlier?: boolean
  /** what the page says about itself in the request */
  hints: Pick<ChatRequest, 'systemPrompt' | 'integrationContext' | 'connectedTools'>
  /** what the user has turned off for the conversation */
  disabledTools: readonly DisabledTool[] | undefined
  choice: ModelChoice
  /** the project of the conversation */
  projectId?: string | undefined
  /** false for a temporary chat */
  isSaved: boolean
  /** the conversation, if it is saved */
  sessionId?: string
  /** summary of the messages that the prompt leaves out; undefined if the conversation is not stored */
  summaryStore?: SummaryStore
  progress: Progress
  /** `progress` holds the beginning of the reply */
  continues: boolean
  events: ReplyLog
  spending: Spending
}

/** Loads a user's profile, settings, memories and connections in one round trip. */
export async function loadUserContext(
  {
    profiles,
    settings,
    memories,
    toolProvider,
  }: Pick<ReplyDeps, 'profiles' | 'settings' | 'memories' | 'toolProvider'>,
  sub: string,
): Promise<UserContext> {
  const [profile, ownSettings, ownMemories, connected] = await waitForAll([
    profiles.find(sub),
    settings.find(sub),
    // with the settings, which say whether they are used: finding that out first would take a round trip
    memories.list(sub),
    toolProvider.listConnected(sub),
  ])
  return { profile, settings: ownSettings, memories: ownMemories, connected }
}

/** Loads the tools of the user's connections. */
export const loadUserTools = (
  { toolProvider, toolsAllowed }: Pick<ReplyDeps, 'toolProvider' | 'toolsAllowed'>,
  { sub, user, hints, disabledTools = [] }: Pick<ReplyContext, 'sub' | 'user' | 'hints' | 'disabledTools'>,
) =>
  toolProvider.loadTools(sub, user.connected, {
    only: (hints.connectedTools ?? []).map(({ mcp_id }) => mcp_id),
    disabledTools,
    toolsAllowed,
  })

/** The part of a conversation's share of the prompt that memories may take. */
const memoryShare = 1 / 8

/** The part of it that the files of a project may take. */
const projectShare = 1 / 4

/** The user's memories, if a reply may use them: memory is on, and the conversation is saved. */
const findUsableMemories = ({ user, isSaved }: ReplyContext) =>
  isSaved && user.settings.memory ? user.memories : undefined

/** Loads the prompt: instructions, conversation with its files, and tools. */
async function loadPrompt(deps: ReplyDeps, context: ReplyContext) {
  const { sub, history, hasEarlier = false, hints, user, choice, progress } = context
  const limits = limitContext(choice.model)
  const [contexts, offer, project] = await waitForAll([
    loadAttachmentContexts(deps.fileDeps, sub, history),
    loadUserTools(deps, context),
    loadProjectContext(deps, sub, context.projectId, limits.maxCharacters * projectShare),
    reloadImages(deps, context),
  ])
  const memories = findUsableMemories(context)
  const instructions = buildInstructions(deps.assistantName, hints, new Date(), {
    displayName: user.profile?.display_name,
    ownInstructions: user.settings.instructions,
    memories: memories && formatMemories(memories, limits.maxCharacters * memoryShare),
    project,
    offer,
  })
  const { messages: ownMessages, firstSent } = buildModelMessages(instructions, history, {
    contexts,
    limits,
    hasEarlier,
  })
  const firstTurn = firstSent?.turn
  const summary = firstTurn === undefined ? undefined : await context.summaryStore?.find(firstTurn)
  const toolsForMemory = memories ? memoryTools(deps.memories, sub, memories) : []
  const messages = addProjectFiles(ownMessages, project)
  // the files of the project are read like files of the conversation
  const filesAndHistory: PromptMessage[] = [
    { role: 'user', content: '', attachments: project?.files ?? [] },
    ...history,
  ]
  const tools = [
    ...assistantTools(deps, { ...context, history: filesAndHistory }),
    ...(project?.isCut ? [searchFilesTool(deps.fileDeps.store, sub, project.files)] : []),
    ...toolsForMemory,
    ...offer.tools,
  ]
  const listSources = () =>
    listUntrustedSources({ history: filesAndHistory, offer, progress, hasSummary: summary !== undefined })
  const typedText = findUserMessage(history)?.content ?? ''
  const isTyped = ({ name }: Tool, input: Record<string, unknown>) =>
    name === 'remember' && isTypedFact(String(input['text']), typedText)
  return {
    messages: summary ? addSummary(messages, formatSummary(summary)) : messages,
    firstTurn,
    ...(firstSent && { sentFrom: findStart(history, firstSent) }),
    tools,
    // switching memory on allows these tools, unless something other than the user may have asked for the call
    isAllowed: (tool: Tool, input: Record<string, unknown> = {}) =>
      toolsForMemory.includes(tool)
        ? isTyped(tool, input) || listSources().length === 0
        : offer.isAllowed(tool),
    listUntrusted: (tool: Tool) => (toolsForMemory.includes(tool) ? listSources() : []),
    // the user's groups may no longer allow any tools
    isConnected: (mcpId: string) => hasConnection(user.connected, mcpId, deps.toolsAllowed),
    showFiles: lazyShowFiles(deps, context),
  }
}

const loadResultFiles = () => import('./tools/result-files.ts')

/** Shows the files of tools' results; the code is loaded with the first of them. */
function lazyShowFiles({ fileDeps }: ReplyDeps, context: ReplyContext): ShowFiles {
  const { sub, sessionId, progress, events } = context
  let showFiles: ShowFiles | undefined
  return async (untrusted, integration) => {
    const { showResultFiles } = await loadResultFiles()
    showFiles ??= showResultFiles(fileDeps, { sub, sessionId, progress, events })
    return showFiles(untrusted, integration)
  }
}

/** The images that tools returned before the reply waited. */
async function reloadImages({ fileDeps }: ReplyDeps, { sub, progress }: ReplyContext): Promise<void> {
  if (!progress.roundMessages.some((message) => message.role === 'tool' && message.images)) return
  const { loadResultImages } = await loadResultFiles()
  await loadResultImages(fileDeps, sub, progress.roundMessages)
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

const findUserMessage = (history: readonly PromptMessage[]) => history.findLast(({ role }) => role === 'user')

/** Everything that a reply depends on. */
export function buildReplyInput(
  call: Pick<ApiCall<'chat.send'>, 'requestId' | 'receivedAtMs' | 'remainingMs' | 'log'> & {
    user: Pick<User, 'sub' | 'issuedAt'>
  },
  deps: ReplyDeps,
  context: ReplyContext,
): ReplyInput {
  const ledgerWrites: Promise<void>[] = []
  let firstTurn: number | undefined
  const { model, effort, notice } = context.choice
  if (notice) addNotice(context, notice)
  return {
    model: deps.models.open(model),
    modelName: model.id,
    contextTokens: model.contextTokens,
    price: model.price,
    ...(effort !== undefined && { effort }),
    prepare: async () => {
      const { firstTurn: first, ...prompt } = await loadPrompt(deps, context)
      firstTurn = first
      return prompt
    },
    async updateSummary() {
      if (firstTurn === undefined) return
      const { spending } = context
      try {
        await context.summaryStore?.update({
          model: deps.models.open(model),
          price: model.price,
          firstTurn,
          spending,
          remainingMs: call.remainingMs,
        })
      } catch (error) {
        // the next reply tries again; until then it goes without
        call.log.warn('a conversation could not be summarised', { error })
      }
    },
    history: context.history,
    contextLimits: limitContext(model),
    progress: context.progress,
    continues: context.continues,
    events: context.events,
    spending: context.spending,
    requestId: call.requestId,
    receivedAtMs: context.progress.roundMessages.length === 0 ? call.receivedAtMs : undefined,
    remainingMs: call.remainingMs,
    isUserDisabledOrErased: () => deps.wasDisabled(call.user),
    log: call.log,
    onCall({ tool, input }, outcome, permission) {
      if (!tool) return
      const { success, forModel } = outcome
      if (permission !== 'denied')
        measure({ FailedToolCalls: success ? 0 : 1 }, { requestId: call.requestId })
      const error = outcome.success ? undefined : outcome.error
      ledgerWrites.push(
        deps.toolProvider.record(
          context.sub,
          { tool, input, success, error, resultSize: forModel.length, permission },
          context.isSaved,
        ),
      )
    },
    endPendingCalls: (pending) =>
      endPendingCalls(deps, { sub: context.sub, pending: [...pending], isSaved: context.isSaved }),
    waitForLedger: async () => {
      await Promise.all(ledgerWrites)
    },
    deleteFiles() {
      const messageFiles = findUserMessage(context.history)?.attachments ?? []
      const ids = [...messageFiles, ...context.progress.attachments].map(({ id }) => id)
      // only stateless replies delete their files here: the setting alone decides
      return deleteTurnFiles(deps, context.sub, { isSaved: true, ids, mayRetry: false })
    },
  }
}
