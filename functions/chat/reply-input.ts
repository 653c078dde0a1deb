import type { Profile, Settings } from '#shared/contracts/account.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { ApiCall } from '../platform/http/api-function.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import type { ConversationFiles } from '../files/conversation-files.ts'
import type { Attached } from '../files/file-links.ts'
import { releaseFiles } from '../files/delete-turn-files.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import type { ProfileRepository } from '../settings/profile-repository.ts'
import type { SettingsRepository } from '../settings/settings-repository.ts'
import type { ConnectedRows } from '../tools/offered-tools.ts'
import type { ToolProvider } from '../tools/tool-box.ts'
import { builtInTools } from './tools/built-in-tools.ts'
import type { Progress } from './progress.ts'
import type { ImageModel } from './model/image-model.ts'
import { materialOf } from './prompt/attachment-context.ts'
import type { Model } from './model/model.ts'
import type { Spending } from './reply-budget.ts'
import { instructions, modelMessages, type SaidMessage } from './prompt/prompt.ts'
import type { Prompt, ReplyInput } from './run-reply.ts'

/** What a function has at hand to write replies with. */
export interface ReplyMeans {
  model: Model
  imageModel: ImageModel | undefined
  assistantName: string
  attached: Attached<ConversationFiles>
  profiles: Pick<ProfileRepository, 'find'>
  settings: Pick<SettingsRepository, 'find'>
  toolBox: ToolProvider
}

/** What of the user a reply depends on, as the table has it. */
export interface ReplyUser {
  profile: Profile | undefined
  settings: Settings
  connected: ConnectedRows
}

interface ReplyTo {
  sub: string
  user: ReplyUser
  said: readonly SaidMessage[]
  hints: Pick<ChatRequest, 'systemPrompt' | 'integrationContext' | 'connectedTools'>
  /** whether what is said is stored */
  kept: boolean
  progress: Progress
  /** `progress` holds the beginning of the reply */
  continues?: boolean
  reply: ReplyLog
  spending: Spending
}

/** Reads what a reply depends on of its user, in one round trip. */
export async function readUser(
  { profiles, settings, toolBox }: Pick<ReplyMeans, 'profiles' | 'settings' | 'toolBox'>,
  sub: string,
): Promise<ReplyUser> {
  const [profile, ownSettings, connected] = await waitForAll([
    profiles.find(sub),
    settings.find(sub),
    toolBox.listConnected(sub),
  ])
  return { profile, settings: ownSettings, connected }
}

/** The tools of the user's connections. @param message the user's last one, which decides what of many tools is offered */
export const loadUserTools = (
  { toolBox }: Pick<ReplyMeans, 'toolBox'>,
  { sub, user, said, hints }: Pick<ReplyTo, 'sub' | 'user' | 'said' | 'hints'>,
) =>
  toolBox.loadTools(sub, user.connected, {
    message: lastQuestion(said)?.content ?? '',
    only: (hints.connectedTools ?? []).map(({ mcp_id }) => mcp_id),
  })

/** Everything the model is given: instructions, conversation with its files, and tools. */
async function preparePrompt(means: ReplyMeans, to: ReplyTo): Promise<Prompt> {
  const { sub, said, hints, user } = to
  const [material, offer] = await waitForAll([
    materialOf(means.attached, sub, said),
    loadUserTools(means, to),
  ])
  const about = { displayName: user.profile?.display_name, offer }
  return {
    messages: modelMessages(instructions(means.assistantName, hints, new Date(), about), said, material),
    tools: [...builtInTools(means, to), ...offer.tools],
    isAllowed: offer.isAllowed,
  }
}

const lastQuestion = (said: readonly SaidMessage[]) => said.findLast(({ role }) => role === 'user')

/** Everything a reply is written from. */
export function replyInput(
  call: Pick<ApiCall<'chat.send'>, 'requestId' | 'receivedAtMs' | 'remainingMs' | 'log'>,
  means: ReplyMeans,
  to: ReplyTo,
): ReplyInput {
  const recorded: Promise<void>[] = []
  return {
    model: means.model,
    prepare: () => preparePrompt(means, to),
    said: to.said,
    progress: to.progress,
    continues: to.continues ?? false,
    reply: to.reply,
    spending: to.spending,
    requestId: call.requestId,
    askedAtMs: to.progress.rounds.length === 0 ? call.receivedAtMs : undefined,
    remainingMs: call.remainingMs,
    log: call.log,
    onCall({ tool, input }, outcome, allowed) {
      if (!tool) return
      const { success, forModel } = outcome
      if (allowed !== 'denied') measure({ FailedToolCalls: success ? 0 : 1 }, { requestId: call.requestId })
      const error = outcome.success ? undefined : outcome.error
      recorded.push(
        means.toolBox.record(
          to.sub,
          { tool, input, success, error, resultSize: forModel.length, allowed },
          to.kept,
        ),
      )
    },
    recorded: async () => {
      await Promise.all(recorded)
    },
    release() {
      const asked = lastQuestion(to.said)?.attachments ?? []
      const ids = [...asked, ...to.progress.attachments].map(({ id }) => id)
      return releaseFiles(means, to.sub, { kept: true, ids, mayRetry: false })
    },
  }
}
