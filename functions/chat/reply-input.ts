import type { Profile, Settings } from '#shared/contracts/account.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { ApiCall } from '../platform/http/api-function.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import type { MessageFileDeps } from '../files/file-links.ts'
import { deleteTurnFiles } from '../files/delete-turn-files.ts'
import { formatSummary, type StoredSummary } from './conversation-summary.ts'
import type { ModelMessage } from './model/model.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import type { ProfileRepository } from '../settings/profile-repository.ts'
import type { SettingsRepository } from '../settings/settings-repository.ts'
import type { ConnectedRows } from '../tools/offered-tools.ts'
import type { ToolProvider } from '../tools/tool-box.ts'
import { builtInTools } from './tools/built-in-tools.ts'
import type { ShowFiles } from './tools/result-files.ts'
import type { Progress } from './progress.ts'
import type { ImageModel } from './model/image-model.ts'
import { limitContext } from './prompt/context-limits.ts'
import { loadAttachmentContexts } from './prompt/attachment-context.ts'
import type { ModelChoice, ModelList } from './model/model-list.ts'
import type { Spending } from './reply-budget.ts'
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
  toolBox: ToolProvider
}

/** What a reply depends on of its user. */
export interface UserContext {
  profile: Profile | undefined
  settings: Settings
  connected: ConnectedRows
}

interface ReplyContext {
  sub: string
  user: UserContext
  history: readonly PromptMessage[]
  /** whether the conversation has messages before `history` */
  hasEarlier?: boolean
  hints: Pick<ChatRequest, 'systemPrompt' | 'integrationContext' | 'connectedTools'>
  choice: ModelChoice
  /** false for a temporary conversation */
  isSaved: boolean
  /** the conversation, where it is saved */
  sessionId?: string
  /** of what the prompt leaves out; undefined where the conversation is not stored */
  summary?: StoredSummary
  progress: Progress
  /** `progress` holds the beginning of the reply */
  continues?: boolean
  events: ReplyLog
  spending: Spending
}

/** Loads a user's profile, settings and connections in one round trip. */
export async function loadUserContext(
  { profiles, settings, toolBox }: Pick<ReplyDeps, 'profiles' | 'settings' | 'toolBox'>,
  sub: string,
): Promise<UserContext> {
  const [profile, ownSettings, connected] = await waitForAll([
    profiles.find(sub),
    settings.find(sub),
    toolBox.listConnected(sub),
  ])
  return { profile, settings: ownSettings, connected }
}

/** Loads the tools of the user's connections. The last user message selects among many tools. */
export const loadUserTools = (
  { toolBox }: Pick<ReplyDeps, 'toolBox'>,
  { sub, user, history, hints }: Pick<ReplyContext, 'sub' | 'user' | 'history' | 'hints'>,
) =>
  toolBox.loadTools(sub, user.connected, {
    message: findUserMessage(history)?.content ?? '',
    only: (hints.connectedTools ?? []).map(({ mcp_id }) => mcp_id),
  })

/** Loads the prompt: instructions, conversation with its files, and tools. */
async function loadPrompt(deps: ReplyDeps, context: ReplyContext) {
  const { sub, history, hasEarlier = false, hints, user, choice } = context
  const [material, offer] = await waitForAll([
    loadAttachmentContexts(deps.fileDeps, sub, history),
    loadUserTools(deps, context),
    reloadImages(deps, context),
  ])
  const about = {
    displayName: user.profile?.display_name,
    ownInstructions: user.settings.instructions,
    offer,
  }
  const instructions = buildInstructions(deps.assistantName, hints, new Date(), about)
  const limits = limitContext(choice.model)
  const { messages, firstSent } = buildModelMessages(instructions, history, {
    contexts: material,
    limits,
    hasEarlier,
  })
  return {
    messages: firstSent?.turn === undefined ? messages : await addSummary(messages, context, firstSent.turn),
    firstTurn: firstSent?.turn,
    ...(firstSent?.id !== undefined && { contextStart: firstSent.id }),
    tools: [...builtInTools(deps, context), ...offer.tools],
    isAllowed: offer.isAllowed,
    showFiles: lazyShowFiles(deps, context),
  }
}

const loadResultFiles = () => import('./tools/result-files.ts')

/** Shows the files of tools' results; the code is loaded with the first of them. */
function lazyShowFiles({ fileDeps }: ReplyDeps, context: ReplyContext): ShowFiles {
  const { sub, sessionId, progress, events } = context
  let showFiles: ShowFiles | undefined
  return async (untrusted, owner) => {
    const { showResultFiles } = await loadResultFiles()
    showFiles ??= showResultFiles(fileDeps, { sub, sessionId, progress, events })
    return showFiles(untrusted, owner)
  }
}

/** The pictures that tools returned before the reply waited. */
async function reloadImages({ fileDeps }: ReplyDeps, { sub, progress }: ReplyContext): Promise<void> {
  if (!progress.rounds.some((message) => message.role === 'tool' && message.images)) return
  const { loadResultImages } = await loadResultFiles()
  await loadResultImages(fileDeps, sub, progress.rounds)
}

/** With what is known of the messages before the first one. */
async function addSummary(
  [system, ...messages]: ModelMessage[],
  { summary }: ReplyContext,
  firstTurn: number,
): Promise<ModelMessage[]> {
  const found = await summary?.find(firstTurn)
  if (system?.role !== 'system') return messages
  const content = found ? `${system.content}\n\n${formatSummary(found)}` : system.content
  return [{ ...system, content }, ...messages]
}

const findUserMessage = (history: readonly PromptMessage[]) => history.findLast(({ role }) => role === 'user')

/** Everything a reply is written from. */
export function buildReplyInput(
  call: Pick<ApiCall<'chat.send'>, 'requestId' | 'receivedAtMs' | 'remainingMs' | 'log'>,
  deps: ReplyDeps,
  context: ReplyContext,
): ReplyInput {
  const recorded: Promise<void>[] = []
  let firstTurn: number | undefined
  const { model, effort, notice } = context.choice
  if (notice) {
    context.progress.notices.push(notice)
    context.events.push({ type: 'data-notice', data: notice })
  }
  return {
    model: deps.models.open(model),
    modelName: model.id,
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
        await context.summary?.update({
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
    continues: context.continues ?? false,
    events: context.events,
    spending: context.spending,
    requestId: call.requestId,
    receivedAtMs: context.progress.rounds.length === 0 ? call.receivedAtMs : undefined,
    remainingMs: call.remainingMs,
    log: call.log,
    onCall({ tool, input }, outcome, allowed) {
      if (!tool) return
      const { success, forModel } = outcome
      if (allowed !== 'denied') measure({ FailedToolCalls: success ? 0 : 1 }, { requestId: call.requestId })
      const error = outcome.success ? undefined : outcome.error
      recorded.push(
        deps.toolBox.record(
          context.sub,
          { tool, input, success, error, resultSize: forModel.length, allowed },
          context.isSaved,
        ),
      )
    },
    waitForLedger: async () => {
      await Promise.all(recorded)
    },
    deleteFiles() {
      const asked = findUserMessage(context.history)?.attachments ?? []
      const ids = [...asked, ...context.progress.attachments].map(({ id }) => id)
      return deleteTurnFiles(deps, context.sub, { isSaved: true, ids, mayRetry: false })
    },
  }
}
