import { afterEach, expect, it } from 'vitest'
import {
  calls,
  reasonsByDefault,
  says,
  startFakeModel,
  takesNoTools,
  type ModelBehaviour,
} from '../../../test/support/fake-model-server.ts'
import { openModel } from './open-model.ts'

let server: Awaited<ReturnType<typeof startFakeModel>> | undefined
afterEach(() => server?.close())

const aTool = {
  type: 'function' as const,
  function: { name: 'send', description: 'Sends', parameters: { type: 'object', properties: {} } },
}

/** Asks twice with a tool, as two rounds of a reply do. */
async function completeTwiceWithTools(behaviour: ModelBehaviour) {
  server = await startFakeModel(behaviour)
  const omitted: string[] = []
  const model = openModel({ api: 'chat', baseUrl: server.baseUrl, model: 'm', readKey: async () => 'k' })
  const ask = () =>
    model.complete({
      messages: [{ role: 'user', content: 'hi' }],
      tools: [aTool],
      signal: new AbortController().signal,
      onText: () => undefined,
      onOmit: (omission) => omitted.push(omission),
    })
  const rounds = [await ask(), await ask()]
  const requests = server.requests.map(({ tools, reasoning_effort }) => [
    tools?.length ?? 0,
    reasoning_effort,
  ])
  return { rounds, omitted, requests }
}

it('a model that reasons by default still gets its tools, and the server is asked only once for its terms', async () => {
  const { rounds, omitted, requests } = await completeTwiceWithTools(
    reasonsByDefault(calls({ id: 'a', name: 'send', arguments: '{}' })),
  )
  expect(rounds.map(({ toolCalls }) => toolCalls[0]?.name)).toEqual(['send', 'send'])
  expect(omitted).toEqual([])
  expect(requests).toEqual([
    [1, undefined],
    [1, 'none'],
    [1, 'none'],
  ])
})

it('two replies at once both get their tools from a model that reasons by default', async () => {
  const bothAsked = Promise.withResolvers<void>()
  let asked = 0
  const answer = reasonsByDefault(calls({ id: 'a', name: 'send', arguments: '{}' }))
  server = await startFakeModel(async (response, request, body) => {
    asked += 1
    if (asked === 2) bothAsked.resolve()
    await bothAsked.promise
    return answer(response, request, body)
  })
  const omitted: string[] = []
  const model = openModel({ api: 'chat', baseUrl: server.baseUrl, model: 'm', readKey: async () => 'k' })
  const ask = () =>
    model.complete({
      messages: [{ role: 'user', content: 'hi' }],
      tools: [aTool],
      signal: new AbortController().signal,
      onText: () => undefined,
      onOmit: (omission) => omitted.push(omission),
    })
  const rounds = await Promise.all([ask(), ask()])
  expect(omitted).toEqual([])
  expect(rounds.map(({ toolCalls }) => toolCalls[0]?.name)).toEqual(['send', 'send'])
})

it('tools that a server rejects are never left out silently', async () => {
  const { rounds, omitted, requests } = await completeTwiceWithTools(takesNoTools(says('Hello')))
  expect(rounds.map(({ text }) => text)).toEqual(['Hello', 'Hello'])
  expect(omitted).toEqual(['tools', 'tools'])
  expect(requests.filter(([tools]) => tools === 0)).toHaveLength(2)
})
