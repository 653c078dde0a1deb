import type { Failure, ReplyNotice } from './contracts/chat.ts'
import { sayReply } from './sentences/replies.ts'
import type { Sentence } from './sentences/sentence.ts'
import { servicePrefix } from './service-prefix.ts'

/** A failed reply as it is stored and sent. Its code is that of the sentence, which its error says after 'Service error: '. */
export const toServiceFailure = ({ text, code, params }: Sentence): Failure => ({
  error: servicePrefix + text,
  code,
  ...(params && { params }),
})

/** Nobody knows what became of the reply. */
export const connectionLost: Failure = {
  error: sayReply('connection_lost').text,
  code: 'connection_lost',
}

/** A finished reply could not be stored. The page keeps it on screen and marks it. */
export const replyNotStored = toServiceFailure(sayReply('reply_not_stored'))

const notice = (sentence: Sentence & { code: ReplyNotice['code'] }): ReplyNotice => sentence

/** Notices of a reply: what the model's server rejected, or that the conversation's model is no longer offered. */
export const replyNotices = {
  tools: notice(sayReply('tools_unavailable')),
  webSearch: notice(sayReply('tools_left_out.web_search')),
  images: notice(sayReply('images_unavailable.model')),
  refusedImages: notice(sayReply('images_unavailable.refused')),
  effort: notice(sayReply('effort_unavailable')),
  model: notice(sayReply('model_replaced')),
  /** for clients that read the stream; a stored reply has `incomplete_reason`, which the page shows */
  filtered: notice(sayReply('reply_filtered')),
} as const

/** Notices about the assistant of a conversation. */
export const assistantUpdated = (name: string, news: string | undefined): ReplyNotice =>
  news === undefined
    ? sayReply('assistant_updated', { name })
    : sayReply('assistant_updated.with_news', { name, news })
export const assistantGone = (name: string): ReplyNotice => sayReply('assistant_gone', { name })
export const assistantOfTemporaryChatGone: ReplyNotice = sayReply('assistant_gone.temporary')

const maxNamed = 5

/** @returns the first names, and how many there are besides */
function toNames(all: readonly string[]): { names: string; more: number } {
  return { names: all.slice(0, maxNamed).join(', '), more: Math.max(0, all.length - maxNamed) }
}

/** @param tools each with its connection; more than five are counted */
export function toolsLeftOut(tools: readonly string[]): ReplyNotice {
  const { names, more } = toNames(tools)
  return more > 0
    ? sayReply('tools_left_out.more', { names, more })
    : sayReply('tools_left_out.these', { names })
}

export const modelWaits = (seconds: number): ReplyNotice => sayReply('model_waits', { seconds })

/** @param sizes of the images; @param limit as their server names it */
export function imagesLeftOut(sizes: readonly string[], limit: string | undefined): ReplyNotice {
  const images = sizes.slice(0, maxNamed).join('; ')
  return limit === undefined
    ? sayReply('images_unavailable.some', { images })
    : sayReply('images_unavailable.above', { images, limit })
}

/** @param tools whose results were cut; more than five are counted */
export function resultsCut(tools: readonly string[]): ReplyNotice {
  const { names, more } = toNames(tools)
  return more > 0 ? sayReply('results_cut.more', { names, more }) : sayReply('results_cut.these', { names })
}
