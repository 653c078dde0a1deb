import { expect, it } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import { emptyReply, type ReplyCall } from '#shared/reply/reply-state.ts'
import { getRemainingCharacters, noUsage, toReplyParts, toUsage } from './stored-reply.ts'

const aCall = (changes: Partial<ReplyCall> = {}): ReplyCall => ({
  id: crypto.randomUUID(),
  name: 'send',
  input: { to: 'ann' },
  status: 'done',
  output: 'sent',
  ...changes,
})

it('a reply that has nothing has no parts but empty ones', () => {
  expect(toReplyParts(emptyReply)).toStrictEqual({ content: '', toolCalls: [], attachments: [] })
})

it('calls with long arguments share the room that a row has for them, and keep their results', () => {
  const calls = Array.from({ length: 60 }, (_, index) =>
    aCall({ input: { text: '漢'.repeat(6_000) }, output: index }),
  )
  const { toolCalls } = toReplyParts({ ...emptyReply, toolCalls: calls })
  expect(Buffer.byteLength(JSON.stringify(toolCalls))).toBeLessThan(95_000)
  expect(toolCalls.map(({ result }) => result.data)).toEqual(calls.map((_, index) => index))
  expect(toolCalls[0]?.parameters).toEqual(calls[0]?.input)
  expect(toolCalls.at(-1)?.parameters).toEqual({
    arguments: expect.stringContaining('characters in all') as string,
  })
  expect(getRemainingCharacters(calls, 2)).toBe(0)
})

it('calls without an outcome are left out, or have the given error if they may have been made', () => {
  const toolCalls = [aCall(), aCall({ status: 'running' }), aCall({ status: 'writing' })]
  expect(toReplyParts({ ...emptyReply, toolCalls }).toolCalls).toHaveLength(1)
  expect(toReplyParts({ ...emptyReply, toolCalls }, 'Cut.').toolCalls).toMatchObject([
    { result: { success: true } },
    { result: { success: false, error: 'Cut.' } },
  ])
})

it('files of a temporary chat are in no stored part, and images count as used', () => {
  const file = { id: 'f', name: 'a.png', type: 'image/png', size: 1 }
  const attachments = [file, { ...file, id: 'g', url: 'data:image/png;base64,AA==' }]
  expect(toReplyParts({ ...emptyReply, attachments })).toMatchObject({
    attachments: [file],
    usage: { images: 1 },
  })
})

it('a result may be as long as 20,000 characters, and as long as what other calls leave', () => {
  expect(getRemainingCharacters([], 1)).toBe(20_000)
  // 90,000 bytes but the two of the empty list, three bytes a character
  expect(getRemainingCharacters([], 2)).toBe(Math.floor(89_998 / 6))
  const calls = [aCall({ output: 'x'.repeat(60_000) })]
  const stored = toReplyParts({ ...emptyReply, toolCalls: calls }).toolCalls
  const bytes = Buffer.byteLength(JSON.stringify(stored))
  expect(getRemainingCharacters(calls, 1)).toBe(Math.floor((90_000 - bytes) / 3))
  expect(getRemainingCharacters(calls, 2)).toBe(Math.floor((90_000 - bytes) / 6))
})

it.each([
  [19_989, true],
  [19_990, false],
])('arguments of %i letters and their syntax are stored whole: %s', (letters, isWhole) => {
  const input = { text: 'x'.repeat(letters) }
  const [call] = toReplyParts({ ...emptyReply, toolCalls: [aCall({ input })] }).toolCalls
  expect(call?.parameters).toEqual(
    isWhole
      ? input
      : { arguments: `${JSON.stringify(input).slice(0, 20_000)}…\n[${letters + 11} characters in all]` },
  )
})

it('each call has what the arguments of those before it leave', () => {
  const calls = Array.from({ length: 3 }, () => aCall({ input: { text: '漢'.repeat(15_000) } }))
  const { toolCalls } = toReplyParts({ ...emptyReply, toolCalls: calls })
  const whole = JSON.stringify(calls[0]?.input)
  const others = toolCalls.map((call) => ({ ...call, parameters: {} }))
  const left = 90_000 - Buffer.byteLength(JSON.stringify(others)) - Buffer.byteLength(whole)
  expect(toolCalls.map(({ parameters }) => parameters)).toEqual([
    calls[0]?.input,
    { arguments: `${whole.slice(0, Math.floor(left / 3))}…\n[15011 characters in all]` },
    { arguments: expect.stringMatching(/^.{0,40}…\n\[15011 characters in all\]$/) as string },
  ])
})

it('a reply has the parts that it has, and reasoning without its state', () => {
  const usage = { ...noUsage(), outputTokens: 1 }
  const notices = [replyNotices.images]
  const sources = [{ url: 'https://a.example/' }]
  const reply = {
    ...emptyReply,
    text: 'Hi.',
    notices,
    sources,
    usage,
    reasoning: { text: 'Hm.', durationMs: 4, isActive: true },
  }
  expect(toReplyParts(reply)).toStrictEqual({
    content: 'Hi.',
    toolCalls: [],
    attachments: [],
    notices,
    sources,
    reasoning: { text: 'Hm.', durationMs: 4 },
    usage,
  })
  expect(toReplyParts({ ...reply, reasoning: { ...reply.reasoning, text: '' } })).not.toHaveProperty(
    'reasoning',
  )
})

it.each([
  [{}, false],
  [{ inputTokens: 1 }, true],
  [{ outputTokens: 1 }, true],
  [{ cachedInputTokens: 1, reasoningTokens: 1 }, false],
  [{ inputTokens: 2, outputTokens: -2 }, false],
])('a reply that used %j has used something: %s', (used, isUsed) => {
  const usage = { ...noUsage(), ...used }
  expect(toUsage({ usage, attachments: [] })).toEqual(isUsed ? usage : undefined)
})

it('a reply before its first request has used nothing, and one with an image only that', () => {
  expect(noUsage()).toEqual({
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    images: 0,
  })
  expect(toUsage({ usage: undefined, attachments: [] })).toBeUndefined()
  const file = { id: 'f', name: 'a.png', type: 'image/png', size: 1 }
  expect(toUsage({ usage: undefined, attachments: [file, file] })).toEqual({ ...noUsage(), images: 2 })
})
