import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { ApiCall } from '../platform/api-function.ts'
import { measure } from '../platform/metrics.ts'
import type { ConversationFiles } from '../files/conversation-files.ts'
import type { Attached } from '../files/file-links.ts'
import { releaseFiles } from '../files/release-files.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import type { ProfileRepository } from '../settings/profile-repository.ts'
import type { SettingsRepository } from '../settings/settings-repository.ts'
import type { ToolBox, UserTools } from '../tools/tool-box.ts'
import { builtInTools } from './built-in-tools.ts'
import type { Progress } from './progress.ts'
import type { ImageModel } from './image-model.ts'
import { materialOf } from './material.ts'
import type { Model } from './model.ts'
import type { Spending } from './reply-budget.ts'
import { instructions, modelMessages, type SaidMessage } from './prompt.ts'
import type { ReplyInput } from './run-reply.ts'

/** What a function has at hand to write replies with. */
export interface ReplyMeans {
  model: Model
  imageModel: ImageModel | undefined
  assistantName: string
  attached: Attached<ConversationFiles>
  profiles: Pick<ProfileRepository, 'find'>
  settings: Pick<SettingsRepository, 'find'>
  toolBox: ToolBox
}

interface ReplyTo {
  sub: string
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

/** What of the user goes into a reply: what they want to be called, and the tools of their connections. */
export interface OfUser {
  profile: ReturnType<ReplyMeans['profiles']['find']>
  tools: Promise<UserTools>
}

/** Begins to read it. @param message the user's last one, which decides what of many tools is offered */
export function readOfUser(
  { profiles, toolBox }: Pick<ReplyMeans, 'profiles' | 'toolBox'>,
  { sub, message, hints }: { sub: string; message: string; hints: Pick<ChatRequest, 'connectedTools'> },
): OfUser {
  const only = (hints.connectedTools ?? []).map(({ mcp_id }) => mcp_id)
  const of = { profile: profiles.find(sub), tools: toolBox.of(sub, { message, only }) }
  // awaited when the reply begins, if it does; until then a failure is nobody's unhandled rejection
  of.profile.catch(() => undefined)
  of.tools.catch(() => undefined)
  return of
}

async function messagesFor(means: ReplyMeans, { sub, said, hints }: ReplyTo, ofUser: OfUser) {
  const { attached, assistantName } = means
  const [material, profile, offer] = await Promise.all([
    materialOf(attached, sub, said),
    ofUser.profile,
    ofUser.tools,
  ])
  const about = { displayName: profile?.display_name, offer }
  return modelMessages(instructions(assistantName, hints, new Date(), about), said, material)
}

const lastQuestion = (said: readonly SaidMessage[]) => said.findLast(({ role }) => role === 'user')

/** Everything a reply is written from; files, tools and the user's name are read meanwhile, where they are not on their way yet. */
export function replyInput(
  call: Pick<ApiCall<'chat.send'>, 'requestId' | 'receivedAtMs' | 'remainingMs' | 'log'>,
  means: ReplyMeans,
  to: ReplyTo,
  ofUser = readOfUser(means, { ...to, message: lastQuestion(to.said)?.content ?? '' }),
): ReplyInput {
  const messages = messagesFor(means, to, ofUser)
  const tools = ofUser.tools.then(({ tools: connected, isAllowed }) => ({
    tools: [...builtInTools(means, to), ...connected],
    isAllowed,
  }))
  // awaited when the reply begins; until then their failure is nobody's unhandled rejection
  messages.catch(() => undefined)
  tools.catch(() => undefined)
  const recorded: Promise<void>[] = []
  return {
    model: means.model,
    tools,
    messages,
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
