import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { TimerOptions } from 'node:timers'
import { replyNotSaved } from '#shared/chat-errors.ts'
import { aConversation, said } from '../../test/support/conversations.ts'
import { openTestTable } from '../../test/support/table.ts'
import { logger } from '../platform/logger.ts'
import type { Table } from '../platform/table.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import { deleteSession } from '../sessions/delete-session.ts'
import { readSession } from '../sessions/read-session.ts'
import { openStores, type Stores } from '../sessions/stores.ts'
import { emptyProgress } from './progress.ts'
import type { Model } from './model.ts'
import { runReply } from './run-reply.ts'
import { startTurn } from './start-turn.ts'

/*
 * Every call that a turn makes to the table fails once: before it reaches the table, or after it did its work and the answer
 * was lost. Whatever happens, a repeat ends well, nothing acknowledged is lost, and the counts are right.
 */

vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>()
  return {
    ...timers,
    setTimeout: (ms: number, ...rest: [value?: undefined, options?: TimerOptions]) =>
      timers.setTimeout(Math.min(ms, 10), ...rest),
  }
})

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  process.env['LOG_LEVEL'] = 'silent'
  table = await openTestTable()
})
afterAll(() => table.close())

type Moment = 'before' | 'after'

/** The table, whose call of this number fails, or all from it on; `calls` counts them. */
function faulty(number: number, moment: Moment, forGood = false) {
  const state = { calls: 0 }
  const client = {
    async send(command: never) {
      state.calls += 1
      const fails = state.calls === number || (forGood && state.calls > number)
      if (fails && moment === 'before') throw new Error('the table did not answer')
      const answer: unknown = await table.client.send(command)
      if (fails) throw new Error('the answer of the table was lost')
      return answer
    },
  } as unknown as Table['client']
  return { state, stores: openStores({ client, name: table.name }) }
}

const model: Model = {
  async complete({ onText }) {
    onText('The reply.')
    return { text: 'The reply.', toolCalls: [], truncated: false, inputTokens: 0, outputTokens: 0 }
  },
}

async function turn(stores: Stores, place: ReturnType<typeof aConversation>) {
  const begun = await startTurn(stores, { ...place, messageId: 'm1', content: 'Hello' })
  if (begun.kind !== 'started') return begun.kind
  const reply = runReply(stores, begun.run, {
    model,
    tools: Promise.resolve({ tools: [] }),
    messages: [],
    progress: emptyProgress(),
    stored: begun.stored,
    published: begun.published,
    reply: new ReplyLog(),
    requestId: 'r',
    askedAtMs: Date.now(),
    remainingMs: () => 300_000,
    log: logger,
  })
  const { success, content, error } = await reply
  // the answer to a message that could not be stored is a refusal, whatever became of the reply
  await begun.stored
  if (error === replyNotSaved && content === 'The reply.') return 'not saved'
  return success ? 'acknowledged' : 'refused'
}

/** The calls of an undisturbed turn, so that each of them gets its turn to fail. */
async function callsOfATurn(): Promise<number> {
  const { state, stores } = faulty(0, 'before')
  await turn(stores, aConversation())
  return state.calls
}

/** As somebody who comes back later: a run without a living function is stale by then. */
async function later<Result>(work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

const whole = [
  ['user', 'Hello'],
  ['assistant', 'The reply.'],
]

describe.each(['before', 'after'] as const)('a table that fails %s a call of a turn', (moment) => {
  it('loses nothing that was acknowledged, and a repeat ends well', async () => {
    const calls = await callsOfATurn()
    expect(calls).toBeGreaterThan(7)
    for (let number = 1; number <= calls; number += 1) {
      const place = aConversation()
      const outcome = await turn(faulty(number, moment).stores, place).catch(() => 'refused')
      const healthy = openStores(table)
      // what was acknowledged is there at once; whatever else happened, the repeat below has to end well
      const kept = outcome === 'acknowledged' ? said((await readSession(healthy, place)).messages) : whole
      expect([number, kept]).toEqual([number, whole])
      const repeated = await later(() => turn(healthy, place))
      expect([number, ['acknowledged', 'ended'].includes(repeated)]).toEqual([number, true])
      const { messages, session } = await later(() => readSession(healthy, place))
      expect([number, said(messages)]).toEqual([number, whole])
      expect([number, session.message_count]).toEqual([number, 2])
    }
  })

  it('DEC-049 a table that is gone when the reply is there: that is told, and a repeat ends well', async () => {
    const place = aConversation()
    // the reads and writes before the reply are done: claim, message, row
    const started = (await callsOfATurn()) - 3
    expect(await turn(faulty(started + 1, moment, true).stores, place)).toBe('not saved')
    const healthy = openStores(table)
    expect(await later(() => turn(healthy, place))).toBe('acknowledged')
    const { messages, session } = await readSession(healthy, place)
    expect([said(messages), session.message_count]).toEqual([whole, 2])
  })

  it('DEC-006 a deletion that was cut is repeated to its end', async () => {
    const { state, stores } = faulty(0, 'before')
    const place = aConversation()
    await turn(openStores(table), place)
    await deleteSession(stores, place)
    for (let number = 1; number <= state.calls; number += 1) {
      const next = aConversation()
      await turn(openStores(table), next)
      await deleteSession(faulty(number, moment).stores, next).catch(() => undefined)
      await deleteSession(openStores(table), next)
      const healthy = openStores(table)
      expect((await healthy.messages.newest(next.sub, next.sessionId)).messages).toEqual([])
      expect(await healthy.sessions.list(next.sub)).toEqual([])
    }
  })
})
