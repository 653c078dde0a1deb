import { expect, it } from 'vitest'
import { newConversationIds, openSharedStores, toTranscript } from '../../../test/support/conversations.ts'
import { turnRunner } from '../../../test/support/turns.ts'
import { finishRun, type EndedReply } from './finish-run.ts'

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
