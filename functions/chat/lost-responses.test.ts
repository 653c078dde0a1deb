import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { interceptCalls } from '../../test/support/call-interceptor.ts'
import { calls, says } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { startMcpServer } from '../../test/support/mcp-server.ts'

const server = await startMcpServer({ tools: [{ name: 'send_mail', description: 'Sends a mail' }] })
const backend = await startInProcessFunctions({ OUTBOUND_ALLOW: server.host })
const interceptor = interceptCalls(backend.services)
afterAll(async () => {
  interceptor.restore()
  await server.close()
  await backend.close()
})

// only a walk that takes long enough writes heartbeats
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => vi.useRealTimers())

const params = { sessionId: 's1' }
const say = (user: InProcessUser, messageId: string, content: string, more: object = {}) =>
  user.call('chat.send', {
    body: { sessionId: 's1', messageId, messages: [{ role: 'user', content }], ...more },
  })

/** The stored state of a conversation without ids and times, which differ. */
async function readState(user: InProcessUser) {
  const { session, messages, run } = await user.call('sessions.read', { params })
  return {
    title: session.title,
    messageCount: session.message_count,
    usage: session.usage,
    messages: messages.map(({ role, content, tool_calls }) => [role, content, tool_calls.length]),
    run: run?.status,
    listedCounts: (await user.call('sessions.list')).sessions.map(({ message_count }) => message_count),
  }
}

interface Path {
  prepare?: (user: InProcessUser) => Promise<unknown>
  walk: (user: InProcessUser) => Promise<unknown>
  readState: (user: InProcessUser) => Promise<unknown>
}

const paths: Record<string, Path> = {
  'the first message of a conversation': {
    async walk(user) {
      backend.model.behave(says('Hi!'))
      return say(user, 'm1', 'Hello')
    },
    readState,
  },
  'a message that replaces an earlier one': {
    async prepare(user) {
      backend.model.behave(says('One.'))
      await say(user, 'm1', 'First')
    },
    async walk(user) {
      backend.model.behave(says('Anew.'))
      return say(user, 'm2', 'Better', { replaces: 'm1' })
    },
    readState,
  },
  'an earlier version that is shown again': {
    async prepare(user) {
      backend.model.behave(says('One.'), says('Two.'), says('Anew.'))
      await say(user, 'm1', 'First')
      await say(user, 'm2', 'Second')
      await say(user, 'm3', 'Better', { replaces: 'm1' })
    },
    async walk(user) {
      const body = { message_id: 'm3', version: 1 }
      const { messages } = await user.call('sessions.showVersion', { params, body })
      return messages.map(({ content }) => content)
    },
    readState,
  },
  'a call that waits for its approval, and its approval': {
    async prepare(user) {
      await backend.addCustomTool(user, 'Post', server.url)
    },
    async walk(user) {
      server.calls.length = 0
      backend.model.behave((response, request, modelRequest) => {
        const name = modelRequest.tools?.at(-1)?.function.name ?? ''
        return calls({ id: 'c1', name, arguments: '{}' })(response, request, modelRequest)
      }, says('Sent.'))
      const message = { sessionId: 's1', messageId: 'm1', messages: [{ role: 'user', content: 'Send' }] }
      await user.send('chat.send', { body: message, headers: { accept: 'text/event-stream' } })
      const { run } = await user.call('sessions.read', { params })
      const body = { runId: run?.run_id ?? '', callId: 'c1', approved: true }
      const response = await user.call('runs.answer', { params, body })
      return { ...response, callCount: server.calls.length }
    },
    readState,
  },
  'a temporary chat': {
    async walk(user) {
      backend.model.behave(says('Hi!'))
      return say(user, 'm1', 'Hello', { keep: false })
    },
    readState: (user) => backend.readRows(user),
  },
}

/**
 * Walks a path once for each `every`th of its writes, with the response to it lost.
 * @param from the first of them
 * @returns how many
 */
async function loseResponses(name: string, every: number, from = 0): Promise<number> {
  const { prepare, walk, readState: readPathState } = paths[name] as Path
  const baselineUser = await backend.newUser()
  await prepare?.(baselineUser)
  const stopRecording = interceptor.record()
  const answer = await walk(baselineUser)
  const writes = stopRecording().filter((call) => /(?:Put|Update|Delete)Item (?:RUN|M|S|TURN)\b/.test(call))
  const expectedState = await readPathState(baselineUser)
  expect(writes.length).toBeGreaterThan(1)
  const lost = writes.filter((_, index) => index % every === from % Math.min(every, writes.length))
  for (const call of lost) {
    const user = await backend.newUser()
    await prepare?.(user)
    const disarm = interceptor.arm({ call, kind: 'response-lost' })
    expect({ call, answer: await walk(user) }).toEqual({ call, answer })
    expect({ call, wasRetried: disarm() > 1 }).toEqual({ call, wasRetried: true })
    expect({ call, state: await readPathState(user) }).toEqual({ call, state: expectedState })
  }
  return lost.length
}

it.each(Object.keys(paths).map((name, index) => [name, index] as const))(
  '%s has the same result although a response of the table is lost',
  async (name, index) => {
    expect(await loseResponses(name, 5, index)).toBeGreaterThan(0)
  },
)

it.each(Object.keys(paths))(
  '%s has the same result whichever response of the table is lost',
  { tags: 'long' },
  async (name) => {
    expect(await loseResponses(name, 1)).toBeGreaterThan(1)
  },
)
