import type { Profile, Settings } from '#shared/contracts/account.ts'
import type { GroupLimits, ToolsAllowed } from '#shared/contracts/admin.ts'
import type { Memory } from '#shared/contracts/memory.ts'
import type { ChatRequest, DisabledTool, Usage } from '#shared/contracts/chat.ts'
import type { UntrustedSource } from '#shared/contracts/runs.ts'
import type { SavedPrompt } from '#shared/contracts/projects.ts'
import type { ListedModel } from '#shared/models.ts'
import type { Cut } from '../conversations/store/message-row.ts'
import type { PendingCall, RunSchedule } from '../conversations/store/run.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'
import type { ReadingFileDeps } from '../files/file-links.ts'
import type { AssistantHead, AssistantReader, AssistantVersion } from '../assistants/assistant-reader.ts'
import type { User } from '../platform/auth/access-token.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import type { ProjectRepository } from '../projects/project-repository.ts'
import type { MemoryRepository } from '../settings/memory-repository.ts'
import type { ProfileRepository } from '../settings/profile-repository.ts'
import type { SettingsRepository } from '../settings/settings-repository.ts'
import type { Tool } from '../tools/calls/tool.ts'
import type { ConnectionRows } from '../tools/offer/offered-tools.ts'
import type { ToolProvider } from '../tools/tool-provider.ts'
import type { SummaryStore } from './conversation-summary.ts'
import type { TitleStore } from './conversation-title.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { ImageModel } from '../models/image-model.ts'
import type { Model, ModelMessage } from '../models/model.ts'
import type { ModelList } from './model-list.ts'
import type { Progress } from './progress.ts'
import type { ContextLimits } from './prompt/context-limits.ts'
import type { PromptMessage } from './prompt/prompt.ts'
import type { Given } from './prompt/transcript.ts'
import type { Spending } from './reply-budget.ts'
import type { OpenSchedules } from '../schedules/open-schedules.ts'
import type { WebPages } from './tools/assistant-tools.ts'
import type { CallLedger } from './tools/call-ledger.ts'
import type { ShowFiles } from './tools/result-files.ts'
import type { resultPager } from './tools/result-pager.ts'
import type { ResultTables } from './tools/result-tables.ts'
import type { QueryTables } from './tools/query-table-tool.ts'

/** Collaborators of replies. */
export interface ReplyDeps {
  models: ModelList
  imageModel: ImageModel | undefined
  /** whether models write the titles of conversations */
  writesTitles?: boolean | undefined
  /** undefined: files are searched by their words alone */
  embeddingModel?: EmbeddingModel | undefined
  assistantName: string
  /** what an administrator has set for every reply */
  houseInstructions?: string | undefined
  fileDeps: ReadingFileDeps
  queryTables: QueryTables
  /** undefined: replies read no pages of the web, and search none */
  webPages?: WebPages | undefined
  profiles: Pick<ProfileRepository, 'find'>
  settings: Pick<SettingsRepository, 'find'>
  memories: Pick<MemoryRepository, 'add' | 'list' | 'remove'>
  projects: Pick<ProjectRepository, 'find'>
  assistants: Pick<AssistantReader, 'find' | 'loadVersion'> & {
    /** counts a conversation that begins with it */
    countUse: (id: string) => Promise<unknown>
  }
  toolProvider: ToolProvider
  /** what creates and changes schedules; undefined: replies cannot */
  openSchedules?: OpenSchedules | undefined
  /** the saved prompts of a user that came with an assistant of somebody else, and that they have not saved */
  listCopiedPrompts?: ((sub: string) => Promise<readonly SavedPrompt[]>) | undefined
  /** whom calls reached that a person has approved for runs of their schedule */
  scheduledRecipients?:
    | {
        list: (sub: string, scheduleId: string) => Promise<readonly string[]>
        add: (sub: string, scheduleId: string, recipients: readonly string[]) => Promise<void>
      }
    | undefined
  /** asks the notifier to tell the user that a reply has ended or waits; never throws */
  announce?:
    | ((reply: Pick<Reply, 'sub' | 'sessionId' | 'user' | 'schedule' | 'log'>) => Promise<void>)
    | undefined
  /** which connections' tools the user may use; undefined: all */
  toolsAllowed?: ToolsAllowed | undefined
  /** what the user's groups allow */
  limits?: GroupLimits | undefined
  /** whether an account was disabled or erased after a token of it was issued */
  wasDisabled: (user: Pick<User, 'sub' | 'issuedAt'>) => Promise<boolean>
}

/** The assistant that a reply is written with. */
export interface ReplyAssistant {
  name: string
  /** whether the user has published it: somebody else's is not trusted, nor one that is gone */
  isMine: boolean
  /** whether the user has been told that it is gone */
  isKnownGone?: true
  /** undefined if it is gone */
  content: Promise<{ head: AssistantHead; version: number; content: AssistantVersion } | undefined>
}

/** The data of a user that a reply depends on. */
export interface UserContext {
  profile: Profile | undefined
  settings: Settings
  memories: readonly Memory[]
  /** read while the turn is claimed */
  connected: Promise<ConnectionRows>
}

/** What the model is given: instructions and conversation, tools, and which of those that write need no approval. */
export interface Prompt {
  /** instructions and conversation */
  messages: readonly ModelMessage[]
  /** where the conversation begins in them, if earlier messages are left out; and which documents it has in part */
  sent?: Pick<Usage, 'contextStart' | 'contextTurns' | 'partFiles'>
  /** those that may be called */
  tools: readonly Tool[]
  /** whether the user always allows a tool that writes, or these arguments of it */
  isAllowed: (tool: Tool, input?: Record<string, unknown>) => boolean
  /** the text of others because of which a tool needs approval */
  listUntrusted?: ((tool: Tool) => UntrustedSource[]) | undefined
  /** stores for a schedule whom a call reaches that its person has approved */
  noteApproved?: ((tool: Tool, input: Record<string, unknown>) => Promise<void>) | undefined
  /** whether a connection still exists, though its tools may not be listed right now */
  isConnected: (mcpId: string) => boolean
  /** shows the files of results in the reply */
  showFiles: ShowFiles
  /** those of the results that are lists */
  resultTables?: ResultTables
  /** whether the model has been sent text of others by now, which the reply may quote */
  hasReadOthers?: () => boolean
  /** all tools anew, if a server has changed its own since the last time; undefined if none has */
  findChangedTools?: () => Promise<Prompt['tools'] | undefined>
  /** the turn that it begins with; undefined when the conversation is not stored */
  firstTurn?: number | undefined
  /** what the new message is given with */
  given?: Given
  /** where the conversation is cut */
  cut?: Cut | undefined
}

/** A reply while it is written: its user and question, the model and tools that write it, and its progress. */
export interface Reply {
  sub: string
  /** of the token of its request */
  issuedAt: number
  groups: readonly string[]
  user: UserContext
  /** false for a temporary chat */
  isSaved: boolean
  /** the conversation, if it is saved */
  sessionId?: string
  /** the project of the conversation */
  projectId?: string | undefined
  /** the assistant of the conversation */
  assistant?: ReplyAssistant | undefined
  /** the messages to reply to; those of a temporary chat are nowhere else */
  history: readonly PromptMessage[]
  /** whether the conversation has messages before `history` */
  hasEarlier: boolean
  /** summary of the messages that the prompt leaves out; undefined if the conversation is not stored */
  summaryStore?: SummaryStore
  /** the conversation's title; undefined if the conversation is not stored */
  titleStore?: TitleStore
  contextLimits: ContextLimits
  /** the day on which the conversation began, as `2026-11-27` */
  startDate: string
  /** what the page says about itself in the request */
  hints: Pick<ChatRequest, 'systemPrompt' | 'integrationContext' | 'connectedTools' | 'time_zone'>
  /** what the user has turned off for the conversation */
  disabledTools: readonly DisabledTool[] | undefined
  /** the schedule that has begun it: nobody is there */
  schedule?: RunSchedule | undefined

  model: Model
  /** the server's name of the model */
  modelName: string
  /** window of the model; undefined if it is unknown */
  contextTokens: number | undefined
  price: ListedModel['price']
  /** whether the model's server may search the web, and bill for it */
  mayBillSearches: boolean
  /** how much the model reasons; its server decides without it */
  effort?: string
  /** what the reply may spend */
  spending: Spending

  /** where its calls are recorded */
  ledger: Pick<CallLedger, 'record' | 'written'>

  /** its events, and what they tell */
  events: ReplyLog
  progress: Progress
  /** the log has the beginning of the reply, and its text goes on where that ends */
  continues: boolean
  /** calls that the user has answered, when a waiting reply continues */
  decidedCalls?: readonly PendingCall[]

  requestId: string
  /** when the request arrived; undefined when the reply continues an earlier one */
  receivedAtMs: number | undefined
  remainingMs: () => number
  log: Logger

  /** what it is written from; loaded while the run begins */
  prompt: Promise<Prompt>
  /** its prompt is not needed any more, or will wait for nothing else */
  endWaits: () => void
  /**
   * Loads it again, with a part of the room for the conversation and its files.
   * @param share from 0 to 1
   * @param start what the progress had before the first prompt was loaded
   */
  loadPrompt: (share: number, start: Pick<Progress, 'given' | 'cut'>) => Promise<Prompt>
}

/** A reply whose prompt is not loaded yet. */
export type OpenedReply = Omit<Reply, 'prompt' | 'loadPrompt' | 'endWaits'>

/** A reply that the model is asked for: with its prompt, what ends it, and what the calls of its tools share. */
export interface ActiveReply
  extends
    Omit<Prompt, 'firstTurn' | 'given' | 'cut'>,
    Pick<
      Reply,
      | 'model'
      | 'modelName'
      | 'price'
      | 'mayBillSearches'
      | 'effort'
      | 'contextTokens'
      | 'continues'
      | 'decidedCalls'
      | 'progress'
      | 'events'
    > {
  /** those of the tools that the model is offered: the same, or a search for them */
  offered: readonly Tool[]
  /** pages results that are too long for the model */
  resultPager: ReturnType<typeof resultPager>
  /** false: no run can wait for the user, so calls that need approval are not made */
  canAskUser?: boolean
  /** where calls that were made or denied are recorded */
  ledger: Pick<CallLedger, 'record'>
  spending: Pick<Spending, 'reserve' | 'spend'>
  signal: AbortSignal
}

/** Loads a user's profile, settings and memories in one round trip, and begins to load the connections. */
export async function loadUserContext(
  {
    profiles,
    settings,
    memories,
    toolProvider,
  }: Pick<ReplyDeps, 'profiles' | 'settings' | 'memories' | 'toolProvider'>,
  sub: string,
): Promise<UserContext> {
  const connected = toolProvider.listConnected(sub)
  // whoever waits for it gets the error
  connected.catch(() => undefined)
  const [profile, ownSettings, ownMemories] = await waitForAll([
    profiles.find(sub),
    settings.find(sub),
    // with the settings, which say whether they are used: finding that out first would take a round trip
    memories.list(sub),
  ])
  return { profile, settings: ownSettings, memories: ownMemories, connected }
}

/** Loads the tools of the user's connections. */
export const loadUserTools = async (
  { toolProvider, toolsAllowed }: Pick<ReplyDeps, 'toolProvider' | 'toolsAllowed'>,
  {
    sub,
    user,
    hints,
    disabledTools = [],
    decidedCalls = [],
    schedule,
  }: Pick<Reply, 'sub' | 'user' | 'hints' | 'disabledTools' | 'decidedCalls' | 'schedule'>,
) =>
  toolProvider.loadTools(sub, await user.connected, {
    only: (hints.connectedTools ?? []).map(({ mcp_id }) => mcp_id),
    disabledTools,
    toolsAllowed,
    mustBeCurrent: schedule !== undefined,
    ...(decidedCalls.length > 0 && { decidedAbout: decidedCalls.flatMap(({ of }) => of?.mcpId ?? []) }),
  })
