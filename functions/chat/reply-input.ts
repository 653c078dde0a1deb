import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { ApiCall } from '../platform/api-function.ts'
import { measure } from '../platform/metrics.ts'
import type { ConversationFiles } from '../files/conversation-files.ts'
import type { Attached } from '../files/file-links.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import type { ProfileRepository } from '../settings/profile-repository.ts'
import type { SettingsRepository } from '../settings/settings-repository.ts'
import type { ToolBox, UserTools } from '../tools/tool-box.ts'
import { builtInTools } from './built-in-tools.ts'
import type { Progress } from './progress.ts'
import type { ImageModel } from './image-model.ts'
import { materialOf } from './material.ts'
import type { Model } from './model.ts'
import { instructions, modelMessages, type SaidMessage } from './prompt.ts'
import { releaseFiles } from './release-files.ts'
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
}

/** The tools of the user's connections, in the choice of the last message. */
function userTools({ toolBox }: ReplyMeans, { sub, said, hints }: ReplyTo): Promise<UserTools> {
  const message = said.findLast(({ role }) => role === 'user')?.content ?? ''
  return toolBox.of(sub, { message, only: (hints.connectedTools ?? []).map(({ mcp_id }) => mcp_id) })
}

async function messagesFor(means: ReplyMeans, { sub, said, hints }: ReplyTo, tools: Promise<UserTools>) {
  const { attached, profiles, assistantName } = means
  const [material, profile, offer] = await Promise.all([
    materialOf(attached, sub, said),
    profiles.find(sub),
    tools,
  ])
  const about = { displayName: profile?.display_name, offer }
  return modelMessages(instructions(assistantName, hints, new Date(), about), said, material)
}

/** Everything a reply is written from; files, tools and the user's name are read meanwhile. */
export function replyInput(
  call: Pick<ApiCall<'chat.send'>, 'requestId' | 'receivedAtMs' | 'remainingMs' | 'log'>,
  means: ReplyMeans,
  to: ReplyTo,
): ReplyInput {
  const offered = userTools(means, to)
  const messages = messagesFor(means, to, offered)
  // awaited when the reply begins; until then its failure is nobody's unhandled rejection
  messages.catch(() => undefined)
  const recorded: Promise<void>[] = []
  return {
    model: means.model,
    tools: offered.then(({ tools, isAllowed }) => ({
      tools: [...builtInTools(means, to), ...tools],
      isAllowed,
    })),
    messages,
    said: to.said,
    progress: to.progress,
    continues: to.continues ?? false,
    reply: to.reply,
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
    release(kept) {
      const asked = to.said.findLast(({ role }) => role === 'user')?.attachments ?? []
      const ids = [...asked, ...to.progress.attachments].map(({ id }) => id)
      return releaseFiles(means, { sub: to.sub, kept, ids, log: call.log })
    },
  }
}
