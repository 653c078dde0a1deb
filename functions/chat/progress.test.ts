import { expect, it } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import { ReplyLog } from '../conversations/store/reply-log.ts'
import { toReplyParts } from '../conversations/turns/stored-reply.ts'
import { addNotice, beginReply } from './progress.ts'

const usage = { inputTokens: 3, cachedInputTokens: 0, outputTokens: 4, reasoningTokens: 0, images: 1 }
const call = { tool: 't', action: 'T', parameters: { a: 1 }, result: { success: true, data: 2 } }
const parts = {
  content: 'Half',
  attachments: [{ id: 'f', name: 'a.png', type: 'image/png', size: 1 }],
  notices: [replyNotices.model],
  reasoning: { text: 'Hm.', durationMs: 5 },
  sources: [{ url: 'https://example.org' }],
  usage,
}

it('a new reply begins with nothing', () => {
  const events = new ReplyLog()
  expect(beginReply(events)).toEqual({
    progress: { roundMessages: [], inputTokens: 0, outputTokens: 0 },
    continues: false,
  })
  expect(events.position).toBe(0)
})

it('an incomplete reply goes on with all its parts, and the model sees its end', () => {
  const events = new ReplyLog()
  const elicited = [{ message: 'Which day?', action: 'accept' as const, content: { day: 'Monday' } }]
  const toolCalls = [{ ...call, elicited }]
  const { progress, continues } = beginReply(events, { ...parts, tool_calls: toolCalls })
  expect(continues).toBe(true)
  expect(toReplyParts(events.reply)).toEqual({ ...parts, toolCalls })
  expect(progress.earlierUsage).toEqual(usage)
  expect(progress.roundMessages.slice(-2)).toEqual([
    { role: 'assistant', content: 'Half' },
    { role: 'user', content: expect.stringContaining('Go on exactly where it ended') as string },
  ])
})

it('an incomplete reply without text and calls begins again', () => {
  expect(beginReply(new ReplyLog(), { content: '' }).progress.roundMessages).toMatchObject([
    { role: 'assistant', content: '' },
    { role: 'user' },
  ])
})

it('tells a notice once', () => {
  const events = new ReplyLog()
  addNotice({ events }, replyNotices.model)
  addNotice({ events }, replyNotices.model)
  expect(events.reply.notices).toEqual([replyNotices.model])
  expect(events.position).toBe(1)
})
