import { describe, expect, it } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import {
  aRun,
  newConversationIds,
  openSharedStores,
  toTranscript,
} from '../../../test/support/conversations.ts'
import { turnRunner } from '../../../test/support/turns.ts'
import { finishRun, replyMessages, type EndedReply } from './finish-run.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { startRun } = turnRunner(stores)
const reply: EndedReply = {
  status: 'done',
  content: 'In water.',
  toolCalls: [],
  attachments: [],
  hasCheckpoints: false,
}

type Stores = typeof stores

/** Calls the function; its first response is lost. */
const withLostResponse = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
  let isLost = true
  return async (...args: Args): Promise<Result> => {
    const result = await work(...args)
    if (!isLost) return result
    isLost = false
    throw new Error('the response is lost')
  }
}

it.each<[string, (stores: Stores) => Partial<Stores>]>([
  [
    'the response to storing the message is lost',
    ({ messages }) => ({
      messages: {
        ...messages,
        put: withLostResponse((...args: Parameters<typeof messages.put>) => messages.put(...args)),
      },
    }),
  ],
  [
    'storing the message does not tell whether it added one',
    ({ messages }) => ({
      messages: { ...messages, put: (...args) => messages.put(...args).then(() => undefined) },
    }),
  ],
  [
    'the response to ending the run is lost',
    ({ runs }) => ({
      runs: { ...runs, end: withLostResponse((...args: Parameters<typeof runs.end>) => runs.end(...args)) },
    }),
  ],
  [
    'the response to counting it is lost',
    ({ conversations }) => ({
      conversations: {
        ...conversations,
        recordActivity: withLostResponse((...args: Parameters<typeof conversations.recordActivity>) =>
          conversations.recordActivity(...args),
        ),
      },
    }),
  ],
  [
    'the client repeated the write that counts it',
    ({ conversations }) => ({
      conversations: {
        ...conversations,
        recordActivity: async (...args) => {
          await conversations.recordActivity(...args)
          return { ...(await conversations.recordActivity(...args)), isCountExact: false }
        },
      },
    }),
  ],
])('a reply is stored and counted once when %s', async (_, change) => {
  const conversation = newConversationIds()
  const run = await startRun(conversation, 'm1', 'How do I boil an egg?')
  const stored = await finishRun({ ...stores, ...change(stores) }, run, reply)
  expect(stored?.session).toMatchObject({ message_count: 2 })
  const { sub, sessionId } = conversation
  expect(await stores.conversations.list(sub)).toMatchObject([{ message_count: 2 }])
  const { messages } = await stores.messages.loadNewest(sub, sessionId)
  expect(toTranscript(messages)).toEqual([
    ['user', 'How do I boil an egg?'],
    ['assistant', 'In water.'],
  ])
})

describe('what fits into the row beside a reply', () => {
  const run = aRun(newConversationIds())
  /** Leaves 998 bytes: the list of calls takes two. */
  const content = 'x'.repeat(384_000)
  const store = (changes: Partial<EndedReply>) => replyMessages(run, { ...reply, content, ...changes })[0]

  it('is the sources that fit, in their order', () => {
    const source = (bytes: number) => ({ url: 'u'.repeat(bytes - '{"url":""}'.length) })
    expect(store({ sources: [source(997)] })).toHaveProperty('sources', [source(997)])
    expect(store({ sources: [source(998)] })).not.toHaveProperty('sources')
    const sources = [source(500), source(497), source(50)]
    expect(store({ sources })).toHaveProperty('sources', sources.slice(0, 2))
  })

  it('is the beginning of its reasoning, whose letters may take three bytes', () => {
    const reasoning = { text: '漢'.repeat(400), durationMs: 3 }
    expect(store({ reasoning })).toHaveProperty('reasoning', { text: '漢'.repeat(332), durationMs: 3 })
    expect(store({ content: 'x'.repeat(384_996), reasoning })).not.toHaveProperty('reasoning')
  })

  it('is all of them beside a short reply', () => {
    const calls = [{ tool: 't', action: 'T', parameters: {}, result: { success: true } }]
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 2, reasoningTokens: 0, images: 0 }
    const cut = { model: 'm', from: 2, whole: 3 }
    const all = {
      toolCalls: calls,
      notices: [replyNotices.images],
      reasoning: { text: 'Hm.', durationMs: 3 },
      sources: [{ url: 'https://a.example/' }],
      usage,
    }
    expect(replyMessages(run, { ...reply, ...all, transcript: '{}', cut })).toEqual([
      {
        id: run.replyId,
        session_id: run.sessionId,
        turn: 1,
        kind: 'reply',
        role: 'assistant',
        content: 'In water.',
        attachments: [],
        tool_calls: calls,
        created_at: expect.any(String) as string,
        notices: all.notices,
        reasoning: all.reasoning,
        sources: all.sources,
        usage,
        transcript_run: run.runId,
        cut,
      },
    ])
  })
})

it.each([
  ['done', false],
  ['stopped', false],
  ['incomplete', false],
  ['failed', true],
  ['interrupted', true],
] as const)('files of a turn that is %s may be needed again: %s', async (status, mayRetry) => {
  const file = { id: 'made', name: 'a.png', type: 'image/png', size: 1 }
  for (const isSaved of [true, false]) {
    const claimed = await stores.runs.claim(
      aRun({ ...newConversationIds(), isSaved, fileIds: ['sent'] }),
      undefined,
    )
    const at = new Date().toISOString()
    const activity = { title: 'Eggs', replacesTitle: false, addedMessages: 1, at }
    await stores.conversations.upsert(claimed.sub, claimed.sessionId, activity)
    const calls: unknown[][] = []
    const files = { ...stores.files, deleteTurnFiles: async (...args: unknown[]) => void calls.push(args) }
    const ended = { ...reply, status, attachments: [file] }
    const stored = await finishRun({ ...stores, files }, claimed, ended)
    const sessionId = isSaved ? claimed.sessionId : undefined
    expect(calls).toEqual([[claimed.sub, { isSaved, sessionId, ids: ['sent', 'made'], mayRetry }]])
    expect(stored === undefined).toBe(!isSaved)
    const current = await stores.runs.find(claimed.sub, claimed.sessionId)
    expect(current?.status).toBe(isSaved ? status : undefined)
  }
})
