import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { ApiCall } from '../platform/api-function.ts'
import type { ConversationFiles } from '../files/conversation-files.ts'
import type { Attached } from '../files/file-links.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import type { ProfileRepository } from '../settings/profile-repository.ts'
import type { SettingsRepository } from '../settings/settings-repository.ts'
import { builtInTools } from './built-in-tools.ts'
import type { Progress } from './generate.ts'
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
}

interface ReplyTo {
  sub: string
  said: readonly SaidMessage[]
  hints: Pick<ChatRequest, 'systemPrompt' | 'integrationContext'>
  progress: Progress
  /** `progress` holds the beginning of the reply */
  continues?: boolean
  reply: ReplyLog
}

async function context({ attached, profiles, assistantName }: ReplyMeans, { sub, said, hints }: ReplyTo) {
  const [material, profile] = await Promise.all([materialOf(attached, sub, said), profiles.find(sub)])
  return modelMessages(instructions(assistantName, hints, new Date(), profile?.display_name), said, material)
}

/** Everything a reply is written from; the files of the conversation and the user's name are read meanwhile. */
export function replyInput(
  call: Pick<ApiCall<'chat.send'>, 'remainingMs' | 'log'>,
  means: ReplyMeans,
  to: ReplyTo,
): ReplyInput {
  const messages = context(means, to)
  // awaited when the reply begins; until then its failure is nobody's unhandled rejection
  messages.catch(() => undefined)
  return {
    model: means.model,
    tools: builtInTools(means, to),
    messages,
    said: to.said,
    progress: to.progress,
    continues: to.continues ?? false,
    reply: to.reply,
    remainingMs: call.remainingMs,
    log: call.log,
    release(kept) {
      const asked = to.said.findLast(({ role }) => role === 'user')?.attachments ?? []
      const ids = [...asked, ...to.progress.attachments].map(({ id }) => id)
      return releaseFiles(means, { sub: to.sub, kept, ids, log: call.log })
    },
  }
}
