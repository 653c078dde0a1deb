import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { says } from '../../test/support/fake-model-server.ts'
import {
  delayTable,
  startInProcessFunctions,
  type InProcessUser,
} from '../../test/support/in-process-functions.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())
afterEach(() => {
  vi.restoreAllMocks()
})

const send = (user: InProcessUser, sessionId: string, messageId: string) =>
  user.call('chat.send', { body: { sessionId, messageId, messages: [{ role: 'user', content: 'Hello' }] } })

/** Resolves when the count has not grown for a while. */
async function untilQuiet(count: () => number): Promise<void> {
  let lastCount = -1
  while (lastCount !== count()) {
    lastCount = count()
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
  }
}

/** Holds back all requests to the table until no other one arrives: they are one step, and are released together. */
function stepThroughTable() {
  const steps: string[][] = []
  let heldRequests: { name: string; go: () => void }[] = []
  let requests = 0
  let isOver = false
  delayTable(async (command) => {
    requests += 1
    if (!isOver)
      await new Promise<void>((go) => heldRequests.push({ name: command.replace('Command', ''), go }))
  })
  return {
    steps,
    /** Releases one step. */
    async go() {
      await vi.waitUntil(() => heldRequests.length > 0, { interval: 1 })
      await untilQuiet(() => requests)
      steps.push(heldRequests.map(({ name }) => name).toSorted())
      const releasedRequests = heldRequests
      heldRequests = []
      for (const { go } of releasedRequests) go()
    },
    end() {
      isOver = true
      for (const { go } of heldRequests) go()
    },
  }
}

it('two sequential steps of table requests precede the model call, in a new conversation and later', async () => {
  backend.model.behave(says('Hi!'))
  const user = await backend.newUser()
  // afterwards the process knows what it reads once: site row, signing keys, the model's key
  await send(user, 'warm', 'm0')
  for (const messageId of ['m1', 'm2']) {
    const requestCount = backend.model.requests.length
    const table = stepThroughTable()
    const responding = send(user, 's1', messageId)
    await table.go()
    await untilQuiet(() => backend.model.requests.length)
    expect(backend.model.requests).toHaveLength(requestCount)
    await table.go()
    await vi.waitUntil(() => backend.model.requests.length > requestCount)
    expect(table.steps).toEqual([
      // conversation, run, the user's rows and mark of ended sign-ins; messages; transcripts; the call and its reply
      ['BatchGet', 'Query', 'Query', 'Update'],
      // the claim, and the message
      ['Put', 'Update'],
    ])
    table.end()
    expect(await responding).toMatchObject({ success: true, content: 'Hi!' })
    vi.restoreAllMocks()
  }
})

it('the connections of a user are read in the second step', async () => {
  backend.model.behave(says('Hi!'))
  const user = await backend.newUser()
  await backend.addCustomTool(user, 'Notes', 'http://127.0.0.1:1/mcp')
  await send(user, 'warm', 'm0')
  const table = stepThroughTable()
  const responding = send(user, 's1', 'm1')
  await table.go()
  await table.go()
  expect(table.steps).toEqual([
    ['BatchGet', 'Query', 'Query', 'Update'],
    ['Put', 'Query', 'Update'],
  ])
  table.end()
  expect(await responding).toMatchObject({ success: true })
})

it('a further message is counted together with its reply', async () => {
  backend.model.behave(says('Hi!'))
  const user = await backend.newUser()
  await send(user, 's1', 'm1')
  let updates = 0
  delayTable(async (command, { Key }) => {
    if (command === 'UpdateCommand' && Key?.['SK'] === 'S#s1') updates += 1
  })
  await send(user, 's1', 'm2')
  expect(updates).toBe(1)
  const params = { sessionId: 's1' }
  const { session, messages } = await user.call('sessions.read', { params })
  expect(session).toMatchObject({ message_count: 4, updated_at: messages.at(-1)?.created_at })
})

it('two steps precede the model call when an earlier version is shown', async () => {
  backend.model.behave(says('Hi!'))
  const user = await backend.newUser()
  await send(user, 's1', 'm1')
  const more = { messages: [{ role: 'user' as const, content: 'Better' }], replaces: 'm1' }
  await user.call('chat.send', { body: { sessionId: 's1', messageId: 'm2', ...more } })
  const body = { message_id: 'm2', version: 1 }
  await user.call('sessions.showVersion', { params: { sessionId: 's1' }, body })
  const requestCount = backend.model.requests.length
  const table = stepThroughTable()
  const responding = send(user, 's1', 'm3')
  await table.go()
  await untilQuiet(() => backend.model.requests.length)
  await table.go()
  await vi.waitUntil(() => backend.model.requests.length > requestCount)
  expect(table.steps).toHaveLength(2)
  expect(
    backend.model.requests
      .at(-1)
      ?.messages.slice(1)
      .map(({ content }) => content),
  ).toEqual(['Hello', 'Hi!', 'Hello'])
  table.end()
  expect(await responding).toMatchObject({ success: true, content: 'Hi!' })
  vi.restoreAllMocks()
})

it('the model is called after the message is stored, and not if that fails', async () => {
  backend.model.behave(says('Hi!'))
  const user = await backend.newUser()
  await send(user, 's1', 'm1')
  const requestCount = backend.model.requests.length
  const putMayEnd = Promise.withResolvers<void>()
  const requests: string[] = []
  delayTable(async (command) => {
    requests.push(command)
    if (command === 'PutCommand') await putMayEnd.promise
  })
  const responding = user.send('chat.send', {
    body: { sessionId: 's1', messageId: 'm2', messages: [{ role: 'user', content: 'More' }] },
  })
  await vi.waitUntil(() => requests.includes('PutCommand'))
  await untilQuiet(() => requests.length + backend.model.requests.length)
  expect(backend.model.requests).toHaveLength(requestCount)
  putMayEnd.reject(new Error('the table did not answer'))
  expect((await responding).status).toBe(500)
  expect(backend.model.requests).toHaveLength(requestCount)
  vi.restoreAllMocks()
  // no reply is being written: the same message is answered at once
  expect(await send(user, 's1', 'm2')).toMatchObject({ success: true, content: 'Hi!' })
})
