import { expect, it } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import { ReplyLog } from '../conversations/store/reply-log.ts'
import { toReplyParts } from '../conversations/turns/stored-reply.ts'
import { listEvents } from '../../test/support/reply-input.ts'
import { addNotice, beginReply, countRounds, toTextId } from './progress.ts'

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

it('a round ends with each message of the model; results of its tools are no rounds', () => {
  const round = { role: 'assistant' as const, content: null }
  const result = { role: 'tool' as const, tool_call_id: '1', content: 'found' }
  expect(countRounds([])).toBe(0)
  expect(countRounds([round, result, result, round, result])).toBe(2)
  expect([toTextId(0), toTextId(2)]).toEqual(['text-0', 'text-2'])
})

it('the text of an incomplete reply stays open for the next round', () => {
  const events = new ReplyLog()
  beginReply(events, { content: 'Half', tool_calls: [call] })
  const all = events.readAfter(0)
  expect(listEvents(events).slice(-2)).toEqual([{ type: 'start-step' }, { type: 'text-start', id: 'text-2' }])
  expect(all.at(-1)).toMatchObject({ textId: 'text-2', text: 'Half' })
})

it('an incomplete reply goes on with its own calls, whatever an earlier attempt called', () => {
  const { progress } = beginReply(
    new ReplyLog(),
    { content: 'Half', tool_calls: [call] },
    { tool_calls: [call, call] },
  )
  expect(progress.roundMessages.filter(({ role }) => role === 'tool')).toHaveLength(1)
})

it('the model is shown 24,000 characters of earlier calls', () => {
  const calls = Array.from({ length: 40 }, () => ({
    ...call,
    result: { success: true, data: 'x'.repeat(1_000) },
  }))
  const { progress } = beginReply(new ReplyLog(), undefined, { tool_calls: calls })
  const { length } = JSON.stringify(progress.roundMessages)
  expect(length).toBeGreaterThan(15_000)
  expect(length).toBeLessThan(24_000)
})
