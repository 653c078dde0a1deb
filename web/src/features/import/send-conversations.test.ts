import { beforeEach, expect, it, vi } from 'vitest'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { importRequestBytes } from '../../lib/browser/limits.ts'
import { maxImportedMessagesPerRequest } from '#shared/limits.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import type { BuiltMessage } from './build-conversation.ts'
import { sendConversations } from './send-conversations.ts'

type Body = RouteRequest<'imports.add'>
const bodies: Body[] = []
/** Later messages are not there. */
let until: string | undefined
/** What the service answers to a conversation. */
let answer: (conversation: Body['conversations'][number]) => 'open' | 'imported' | 'existing'

beforeEach(() => {
  bodies.length = 0
  countedIds.clear()
  until = undefined
  answer = ({ complete }) => (complete ? 'imported' : 'open')
  fakeApi({
    'imports.add': ({ body }) => {
      const { conversations } = body
      bodies.push(body)
      if (conversations.some(({ title }) => title === 'bad'))
        throw new ApiError({ status: 400, code: 'bad_request', userMessage: 'No.' })
      if (conversations.some(({ title }) => title === 'fatal'))
        throw new ApiError({ status: 500, code: 'internal', userMessage: 'Failed.' })
      if (conversations.some(({ title }) => title === 'large'))
        throw new ApiError({ status: 413, code: 'body_too_large', userMessage: 'Too large.' })
      return {
        success: true,
        conversations: conversations.map((one) => ({ source_id: one.source_id, state: answer(one), until })),
      }
    },
  })
})

const at = '2024-03-01T12:00:00.000Z'
const conversation = (id: string, messages: Partial<BuiltMessage>[], title = id) => ({
  source: 'claude' as const,
  conversation: {
    source_id: id,
    title,
    created_at: at,
    updated_at: at,
    turns: messages.length,
    message_count: messages.length,
    messages: messages.map((message, index) => ({
      turn: index + 1,
      role: 'user' as const,
      content: 'x',
      created_at: at,
      files: [],
      ...message,
    })),
  },
})
const tolerateFailure = vi.fn<() => boolean>()
const upload = vi.fn<() => Promise<string>>(() => Promise.resolve('uploaded'))
const countedIds = new Set<string>()
const send = (...conversations: ReturnType<typeof conversation>[]) =>
  sendConversations(conversations, {
    importId: '00000000-0000-4000-8000-000000000001',
    countedIds,
    signal: new AbortController().signal,
    attempts: { callWithRetries: (call) => call(), tolerateFailure, getLastFailure: () => undefined },
    upload,
  })

it('sends many conversations in one request, and a long one in several that follow each other', async () => {
  const messages = Array.from({ length: 2 * maxImportedMessagesPerRequest + 1 }, () => ({}))
  const counts = await send(conversation('a', [{}]), conversation('b', [{}]), conversation('long', messages))
  expect(counts).toMatchObject({ imported: 3, existing: 0, rejected: 0, messages: messages.length + 2 })
  expect(
    bodies.map(({ conversations }) =>
      conversations.map(({ source_id, continues, complete, messages: { length } }) => [
        source_id,
        length,
        continues ?? false,
        complete,
      ]),
    ),
  ).toEqual([
    [
      ['a', 1, false, true],
      ['b', 1, false, true],
    ],
    [['long', 1_000, false, false]],
    [['long', 1_000, true, false]],
    [['long', 1, true, true]],
  ])
})

it('a conversation that the service finds too large holds up no other one', async () => {
  const counts = await send(
    conversation('a', [{}]),
    conversation('b', [{}], 'large'),
    conversation('c', [{}]),
  )
  expect(counts).toMatchObject({ imported: 2, existing: 0, rejected: 1, messages: 2 })
})

it('sends no request that is much larger than its limit', async () => {
  const messages = Array.from({ length: 100 }, () => ({ content: 'ü'.repeat(90_000) }))
  await send(conversation('wide', messages))
  expect(bodies.length).toBeGreaterThan(10)
  for (const body of bodies)
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(importRequestBytes + 1_000)
})

it('adds nothing from an export without times, whose messages are as new as the import', async () => {
  answer = () => 'existing'
  until = '2024-01-01T00:00:00.000Z'
  expect(await send(conversation('a', [{}, { role: 'assistant' }]))).toMatchObject({
    existing: 1,
    extended: 0,
  })
  expect(bodies).toHaveLength(1)
  // a time of its own is newer
  await send(conversation('b', [{ created_at: '2024-02-01T00:00:00.000Z' }, {}]))
  expect(bodies.at(-1)?.conversations[0]?.known_turns).toEqual([])
})

it('uploads files only of conversations that were not imported before', async () => {
  answer = ({ source_id: id, complete }) => (id === 'old' ? 'existing' : complete ? 'imported' : 'open')
  const files = [{ id: 'file-1', name: 'a.png' }]
  const counts = await send(conversation('old', [{ files }]), conversation('new', [{ files }]))
  expect(counts).toMatchObject({ imported: 1, existing: 1 })
  expect(upload).toHaveBeenCalledOnce()
  expect(bodies.at(-1)?.conversations).toMatchObject([
    { source_id: 'new', continues: true, complete: true, messages: [{ attachment_ids: ['uploaded'] }] },
  ])
})

it('a conversation that the service rejects costs no other', async () => {
  const counts = await send(conversation('a', [{}]), conversation('b', [{}], 'bad'), conversation('c', [{}]))
  expect(counts).toMatchObject({ imported: 2, rejected: 1 })
})

it('a conversation at which the service fails does not hold up the others, unless it fails at everything', async () => {
  tolerateFailure.mockReturnValue(true)
  const all = [conversation('a', [{}]), conversation('b', [{}], 'fatal'), conversation('c', [{}])]
  expect(await send(...all)).toMatchObject({ imported: 2, rejected: 0, failed: 1 })
  tolerateFailure.mockReturnValue(false)
  await expect(send(...all)).rejects.toThrow('500')
})

it('counts a conversation once that several archives have', async () => {
  answer = () => 'existing'
  expect(await send(conversation('a', [{}]))).toMatchObject({ existing: 1 })
  expect(await send(conversation('a', [{}]))).toMatchObject({ existing: 0 })
})

it('counts a conversation once whose newer messages the service rejects', async () => {
  answer = () => 'existing'
  until = '2024-01-01T00:00:00.000Z'
  fakeApi({
    'imports.add': ({ body: { conversations } }) => {
      if (conversations.some(({ known_turns: known }) => known))
        throw new ApiError({ status: 400, code: 'bad_request', userMessage: 'No.' })
      return {
        success: true,
        conversations: conversations.map((one) => ({ source_id: one.source_id, state: 'existing', until })),
      }
    },
  })
  const counts = await send(conversation('a', [{ created_at: '2024-02-01T00:00:00.000Z' }, {}]))
  expect(counts).toMatchObject({ rejected: 1, existing: 0, extended: 0 })
})
