import { expect, it } from 'vitest'
import * as z from 'zod'
import { aConversation, openSharedStores } from '../../test/support/conversations.ts'
import { aSendingTool, saying, turnsOn } from '../../test/support/turns.ts'
import { zodParameters, type Tool } from '../tools/tool.ts'
import type { Model, ModelMessage } from './model/model.ts'

const stores = await openSharedStores()
const { startNew, write, answer } = turnsOn(stores)

const full = '漢'.repeat(19_000)
const reading: Tool = {
  name: 'read_page',
  description: 'Reads',
  parameters: zodParameters(z.object({ page: z.number() })),
  writes: false,
  activity: 'other',
  timeoutMs: 10_000,
  run: async () => full,
}
const round = { text: '', truncated: false, inputTokens: 0, outputTokens: 0 }

/** Reads 24 pages in two rounds, then asks to send something. */
function thorough(): Model {
  let rounds = 0
  return {
    async complete() {
      rounds += 1
      if (rounds > 2) return { ...round, toolCalls: [{ id: 'c1', name: 'send', arguments: '{"to":"ann"}' }] }
      const pages = Array.from({ length: 12 }, (_, at) => rounds * 100 + at)
      return {
        ...round,
        toolCalls: pages.map((page) => ({
          id: `p${page}`,
          name: 'read_page',
          arguments: JSON.stringify({ page }),
        })),
      }
    },
  }
}

it('DEC-143 a reply with 24 full results of tools waits for its answer, and goes on with all of them', async () => {
  const place = aConversation()
  const { sent, tool } = aSendingTool()
  const { run } = await startNew(place)
  await write(run, thorough(), [reading, tool]).ended
  const waiting = await stores.runs.find(place.sub, place.sessionId)
  expect(waiting).toMatchObject({ status: 'waiting', pending: [{ callId: 'c1', arguments: '{"to":"ann"}' }] })

  const given: ModelMessage[] = []
  const hearing: Model = {
    complete: async (request) => {
      given.push(...request.messages)
      return saying('Sent.').complete(request)
    },
  }
  await answer(run, hearing, tool)
  expect(sent).toEqual([{ to: 'ann' }])
  const results = given.filter(({ role, content }) => role === 'tool' && content === full)
  expect(results).toHaveLength(24)
  const { messages } = await stores.messages.loadNewest(place.sub, place.sessionId)
  expect(messages.at(-1)).toMatchObject({ content: 'Sent.' })
  expect(messages.at(-1)?.tool_calls).toHaveLength(25)
})
