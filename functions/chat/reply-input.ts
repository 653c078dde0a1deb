import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ApiCall } from '../platform/api-function.ts'
import type { Attached } from '../files/file-links.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import { builtInTools } from './built-in-tools.ts'
import type { Progress } from './generate.ts'
import type { ImageModel } from './image-model.ts'
import { materialOf } from './material.ts'
import type { Model } from './model.ts'
import { instructions, modelMessages } from './prompt.ts'
import type { ReplyInput } from './run-reply.ts'

/** What a function has at hand to write replies with. */
export interface ReplyMeans {
  model: Model
  imageModel: ImageModel | undefined
  assistantName: string
  attached: Attached
}

export interface SaidMessage {
  role: 'user' | 'assistant'
  content: string
  attachments?: readonly Attachment[]
}

interface ReplyTo {
  sub: string
  said: readonly SaidMessage[]
  hints: Pick<ChatRequest, 'systemPrompt' | 'integrationContext'>
  progress: Progress
  reply: ReplyLog
}

async function context({ attached, assistantName }: ReplyMeans, { sub, said, hints }: ReplyTo) {
  const material = await materialOf(attached, sub, said)
  return modelMessages(instructions(assistantName, hints, new Date()), said, material)
}

/** Everything a reply is written from; the files of the conversation are read meanwhile. */
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
    progress: to.progress,
    reply: to.reply,
    remainingMs: call.remainingMs,
    log: call.log,
  }
}
