import { expect, it } from 'vitest'
import { emptyReply, type ReplyCall } from '#shared/reply/reply-state.ts'
import { getRemainingCharacters, toReplyParts } from './stored-reply.ts'

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
