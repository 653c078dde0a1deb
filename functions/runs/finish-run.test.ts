import { expect, it } from 'vitest'
import { aConversation, openSharedStores, toTranscript } from '../../test/support/conversations.ts'
import { turnsOn } from '../../test/support/turns.ts'
import { finishRun, type EndedReply } from './finish-run.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { startRun } = turnsOn(stores)
const reply: EndedReply = { status: 'done', content: 'In water.', toolCalls: [], logged: false }

type Stores = typeof stores

/** Calls the function; its first response is lost. */
const withLostAnswer = <Given extends unknown[], Answer>(work: (...given: Given) => Promise<Answer>) => {
  let isLost = true
  return async (...given: Given): Promise<Answer> => {
    const answer = await work(...given)
    if (!isLost) return answer
    isLost = false
    throw new Error('the answer is lost')
  }
}

it.each<[string, (stores: Stores) => Partial<Stores>]>([
  [
    'storing the message',
    ({ messages }) => ({
      messages: {
        ...messages,
        put: withLostAnswer((...given: Parameters<typeof messages.put>) => messages.put(...given)),
      },
    }),
  ],
  [
    'storing the message, which does not say whether it added one',
    ({ messages }) => ({
      messages: { ...messages, put: (...given) => messages.put(...given).then(() => undefined) },
    }),
  ],
  [
    'ending the run',
    ({ runs }) => ({
      runs: { ...runs, end: withLostAnswer((...given: Parameters<typeof runs.end>) => runs.end(...given)) },
    }),
  ],
  [
    'counting it',
    ({ conversations }) => ({
      conversations: {
        ...conversations,
        recordActivity: withLostAnswer((...given: Parameters<typeof conversations.recordActivity>) =>
          conversations.recordActivity(...given),
        ),
      },
    }),
  ],
  [
    'counting it, which the client repeated',
    ({ conversations }) => ({
      conversations: {
        ...conversations,
        recordActivity: async (...given) => {
          await conversations.recordActivity(...given)
          return { ...(await conversations.recordActivity(...given)), isSure: false }
        },
      },
    }),
  ],
])('a reply is stored and counted once when the response is lost to %s', async (_, change) => {
  const conversation = aConversation()
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
