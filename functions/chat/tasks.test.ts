import { McpServer } from '@modelcontextprotocol/server'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { openTaskStore, serveMcp, type TaskProgress } from '../../test/support/demo-server.ts'
import { calls, says } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { ask, findOnlyEvent } from '../../test/support/read-along.ts'
import { ledgerRepository } from '../tools/calls/ledger-repository.ts'

const textResult = (line: string) => ({ content: [{ type: 'text', text: line }] })
const working: TaskProgress = { status: 'working', statusMessage: 'Counting' }
const completed: TaskProgress = { status: 'completed', result: textResult('42 guests') }

/** How the server behaves. */
const defaultBehaviour = {
  progress: working as TaskProgress,
  ttlMs: 3_600_000 as number | null,
  /** longer than a reply polls, so that it waits at once */
  pollIntervalMs: 60_000,
  /** replaces the valid response to a creation */
  create: undefined as object | undefined,
  isDown: false,
  /** runs while a task is created */
  onBuild: undefined as (() => Promise<unknown>) | undefined,
}
const serverBehaviour = { ...defaultBehaviour }
const inputs: Record<string, unknown>[] = []
const calledTools: string[] = []

const store = openTaskStore()
const server = await serveMcp(
  () => {
    if (serverBehaviour.isDown) throw new Error('down')
    const mcp = new McpServer({ name: 'Reports', version: '1' })
    mcp.registerTool('build', { description: 'Builds a report' }, async (ctx) => {
      calledTools.push('build')
      await serverBehaviour.onBuild?.()
      if (serverBehaviour.create) return serverBehaviour.create as never
      return store.begin(ctx, {
        ttlMs: serverBehaviour.ttlMs,
        pollIntervalMs: serverBehaviour.pollIntervalMs,
        read: () => serverBehaviour.progress,
        onInput: (responses) => {
          inputs.push(responses)
          serverBehaviour.progress = completed
        },
      })
    })
    store.register(mcp)
    return mcp
  },
  { onerror: () => undefined },
)
const backend = await startInProcessFunctions({ OUTBOUND_ALLOW: server.host })
afterAll(async () => {
  await server.close()
  await backend.close()
})
afterEach(() => {
  vi.useRealTimers()
  Object.assign(serverBehaviour, defaultBehaviour)
  inputs.length = 0
  calledTools.length = 0
})

/** Creates a user who has added the server as a custom tool. */
async function newUser(): Promise<InProcessUser> {
  const user = await backend.newUser()
  await backend.addCustomTool(user, 'Reports', server.url)
  return user
}

const params = { sessionId: 's1' }
const message = {
  sessionId: 's1',
  messageId: 'm1',
  messages: [{ role: 'user' as const, content: 'Build a report' }],
}

type SendInput = Parameters<InProcessUser['send']>[1]
const decide = (user: InProcessUser, runId: string, body: Record<string, unknown> = {}) =>
  user.send('runs.answer', {
    params,
    body: { runId, callId: 'call-1', approved: true, ...body },
  } as SendInput)
const check = (user: InProcessUser, runId: string) =>
  user.call('runs.checkTask', { params, body: { runId, callId: 'call-1' } })
const read = (user: InProcessUser) => user.call('sessions.read', { params })
const readLedger = async (user: InProcessUser) =>
  (await ledgerRepository(backend.table).page(user.sub, { limit: 10 })).entries
const toolCalls = async (user: InProcessUser) => (await read(user)).messages.at(-1)?.tool_calls ?? []

/** Starts a reply whose call is approved. */
async function startApprovedCall() {
  backend.model.behave(calls({ id: 'call-1', name: 'reports_build', arguments: '{}' }))
  const user = await newUser()
  const waitingRun = findOnlyEvent(await ask(user, message).finished, 'data-run').data
  backend.model.behave(says('Done.'))
  await decide(user, waitingRun.run_id)
  const { run } = await read(user)
  return { user, runId: waitingRun.run_id, run, question: run?.questions?.[0] }
}

describe('DEC-184 a call that becomes a task', () => {
  it('waits in the run; its result is fetched when it is ready, and the same reply continues', async () => {
    const { user, runId, run, question } = await startApprovedCall()
    expect(run?.status).toBe('waiting')
    expect(question).toMatchObject({
      call_id: 'call-1',
      kind: 'task',
      integration: 'Reports',
      decision: null,
      task: { message: 'Counting', poll_after_ms: 60_000 },
    })
    const { started_at, expires_at } = question?.task ?? {}
    expect(Date.parse(expires_at ?? '') - Date.parse(started_at ?? '')).toBe(3_600_000)
    expect(Object.keys(question?.task ?? {})).not.toContain('id')

    serverBehaviour.progress = { status: 'working', statusMessage: 'Still\u202e counting' }
    expect(await check(user, runId)).toMatchObject({ is_ready: false, task: { message: 'Still counting' } })
    serverBehaviour.progress = completed
    expect(await check(user, runId)).toMatchObject({ is_ready: true })
    expect((await read(user)).run?.status).toBe('waiting')

    expect(await decide(user, runId)).toMatchObject({
      status: 200,
      body: { success: true, content: 'Done.' },
    })
    expect(await toolCalls(user)).toMatchObject([{ result: { success: true, data: '42 guests' } }])
    expect(calledTools).toEqual(['build'])
    expect(JSON.stringify(backend.model.requests.at(-1)?.messages)).toContain('42 guests')
  })

  it('is completed within the reply if it is short', async () => {
    Object.assign(serverBehaviour, { pollIntervalMs: 0, progress: completed })
    const { user, run } = await startApprovedCall()
    expect(run).toBeNull()
    expect(await toolCalls(user)).toMatchObject([{ result: { success: true, data: '42 guests' } }])
  })

  it('resumes the reply once for two pages that see its end at the same time', async () => {
    const { user, runId } = await startApprovedCall()
    serverBehaviour.progress = completed
    const statuses = (await Promise.all([decide(user, runId), decide(user, runId)])).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      200,
      expect.toSatisfy((status: number) => status >= 400),
    ])
    expect(await toolCalls(user)).toMatchObject([{ result: { data: '42 guests' } }])
    expect((await read(user)).messages).toHaveLength(2)
    await expect(check(user, runId)).rejects.toThrow(/answered 404/)
  })

  it('keeps waiting if the reply is resumed too early, without another call', async () => {
    const { user, runId } = await startApprovedCall()
    serverBehaviour.progress = { status: 'working', statusMessage: 'Nearly' }
    await decide(user, runId, { arguments: { other: true } })
    const { run } = await read(user)
    expect(run?.questions).toMatchObject([{ kind: 'task', task: { message: 'Nearly' }, arguments: {} }])
    expect(calledTools).toEqual(['build'])
  })

  it('is cancelled at its server by the user, and the model is told', async () => {
    const cancelledBefore = store.listCancelled().length
    const { user, runId } = await startApprovedCall()
    await decide(user, runId, { approved: false })
    expect(store.listCancelled()).toHaveLength(cancelledBefore + 1)
    const [call] = await toolCalls(user)
    expect(call?.result.error).toMatch(/^The user cancelled this task/)
    expect(JSON.stringify(backend.model.requests.at(-1)?.messages)).toContain('The user cancelled this task')
  })

  it('is cancelled at its server with the reply', async () => {
    const cancelledBefore = store.listCancelled().length
    const { user } = await startApprovedCall()
    expect((await user.call('runs.stop', { params, body: {} })).run.status).toBe('stopped')
    expect(store.listCancelled()).toHaveLength(cancelledBefore + 1)
  })
})

describe('DEC-192 a stop', () => {
  const stoppedMessage = /^Stopped before it was finished/

  it('a moment before the reply waits for its task cancels the task', async () => {
    const cancelledBefore = store.listCancelled().length
    backend.model.behave(calls({ id: 'call-1', name: 'reports_build', arguments: '{}' }))
    const user = await newUser()
    const waitingRun = findOnlyEvent(await ask(user, message).finished, 'data-run').data
    serverBehaviour.onBuild = () => user.call('runs.stop', { params, body: {} })
    await decide(user, waitingRun.run_id)
    expect((await read(user)).run?.status).toBe('stopped')
    expect(store.listCancelled()).toHaveLength(cancelledBefore + 1)
    expect(await readLedger(user)).toMatchObject([
      { allowed: 'approved', error: expect.stringMatching(stoppedMessage) as string },
    ])
  })

  it('before a call was approved leaves nothing in the ledger', async () => {
    backend.model.behave(calls({ id: 'call-1', name: 'reports_build', arguments: '{}' }))
    const user = await newUser()
    await ask(user, message).finished
    expect((await user.call('runs.stop', { params, body: {} })).run.status).toBe('stopped')
    expect(await readLedger(user)).toEqual([])
    expect(calledTools).toEqual([])
  })

  it('while the reply waits leaves the call in the ledger', async () => {
    const { user } = await startApprovedCall()
    await user.call('runs.stop', { params, body: {} })
    expect(await readLedger(user)).toMatchObject([
      { tool: 'reports_build', allowed: 'approved', error: expect.stringMatching(stoppedMessage) as string },
    ])
  })
})

describe('a task that asks the user', () => {
  const asks = (key: string): TaskProgress => ({
    status: 'input_required',
    inputRequests: {
      [key]: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Which month?',
          requestedSchema: { type: 'object', properties: { month: { type: 'string' } }, required: ['month'] },
        },
      },
    },
  })
  const accept = { elicitation: { action: 'accept', content: { month: { month: 'May' } } } }

  it('shows a form, whose values are sent to the task', async () => {
    const { user, runId } = await startApprovedCall()
    serverBehaviour.progress = asks('month')
    expect(await check(user, runId)).toMatchObject({ is_ready: true })
    await decide(user, runId)
    expect((await read(user)).run?.questions).toMatchObject([
      { kind: 'elicitation', elicitations: [{ key: 'month', message: 'Which month?' }] },
    ])
    await decide(user, runId, accept)
    expect(inputs).toEqual([{ month: { action: 'accept', content: { month: 'May' } } }])
    expect(await toolCalls(user)).toMatchObject([
      { result: { data: '42 guests' }, elicited: [{ action: 'accept', content: { month: 'May' } }] },
    ])
    expect(calledTools).toEqual(['build'])
  })

  it('for anything but a form is cancelled, and the call ends', async () => {
    const cancelledBefore = store.listCancelled().length
    const { user, runId } = await startApprovedCall()
    serverBehaviour.progress = {
      status: 'input_required',
      inputRequests: { a: { method: 'sampling/createMessage' } },
    }
    await decide(user, runId)
    const [call] = await toolCalls(user)
    expect(call?.result.error).toMatch(/asked the user for something, which was declined/)
    expect(store.listCancelled()).toHaveLength(cancelledBefore + 1)
  })
})

describe('a task that has no result', () => {
  const endings: [string, () => void, RegExp][] = [
    [
      'failed',
      () =>
        (serverBehaviour.progress = {
          status: 'failed',
          error: { code: -32603, message: 'Out of\u0007 paper' },
        }),
      /The task of Reports failed\. It said: "Out of paper"/,
    ],
    [
      'was cancelled by its server',
      () => (serverBehaviour.progress = { status: 'cancelled' }),
      /was cancelled by Reports/,
    ],
    [
      'has ended with an error of the tool',
      () =>
        (serverBehaviour.progress = {
          status: 'completed',
          result: { ...textResult('No data'), isError: true },
        }),
      /^No data$/,
    ],
    [
      'has a result of another type',
      () =>
        (serverBehaviour.progress = { status: 'completed', result: { resultType: 'task', taskId: 'again' } }),
      /its result cannot be read/,
    ],
    [
      'has no result',
      () => (serverBehaviour.progress = { status: 'completed' } as TaskProgress),
      /cannot be read/,
    ],
    [
      'has a state that is unknown',
      () => (serverBehaviour.progress = { status: 'pending' } as unknown as TaskProgress),
      /^Reports did not say what became of its task\. It may have been done: check before you try again\.$/,
    ],
  ]
  it.each(endings)('because it %s is an error for the model', async (_, end, reason) => {
    const { user, runId } = await startApprovedCall()
    end()
    expect(await check(user, runId)).toMatchObject({ is_ready: true })
    await decide(user, runId)
    const [call] = await toolCalls(user)
    expect(call?.result).toMatchObject({ success: false, error: expect.stringMatching(reason) as string })
  })

  it('because its server has deleted it is an error for the model', async () => {
    serverBehaviour.ttlMs = 60_000
    const { user, runId } = await startApprovedCall()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    expect(await check(user, runId)).toMatchObject({ is_ready: true })
    await decide(user, runId)
    expect((await toolCalls(user))[0]?.result.error).toMatch(/does not know this task any more/)
  })

  it('is fetched again later when its server does not respond', async () => {
    const { user, runId } = await startApprovedCall()
    serverBehaviour.isDown = true
    expect(await check(user, runId)).toMatchObject({ is_ready: false, task: { message: 'Counting' } })
    await decide(user, runId)
    expect((await read(user)).run?.questions).toMatchObject([{ kind: 'task' }])
    Object.assign(serverBehaviour, { isDown: false, progress: completed })
    await decide(user, runId)
    expect(await toolCalls(user)).toMatchObject([{ result: { data: '42 guests' } }])
    expect(calledTools).toEqual(['build'])
  })

  it('is given up after a month', async () => {
    serverBehaviour.ttlMs = null
    const { user, runId } = await startApprovedCall()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 })
    const userSignedInAgain: InProcessUser = { ...user, ...(await backend.signInAgain(user)), sub: user.sub }
    expect(await check(userSignedInAgain, runId)).toMatchObject({ is_ready: true })
    serverBehaviour.progress = completed
    await decide(userSignedInAgain, runId)
    expect((await toolCalls(userSignedInAgain))[0]?.result.error).toMatch(/^The task was given up/)
  })
})

it('a task of a temporary chat waits and continues like any other, and leaves nothing', async () => {
  backend.model.behave(calls({ id: 'call-1', name: 'reports_build', arguments: '{}' }))
  const user = await newUser()
  const waitingRun = findOnlyEvent(await ask(user, { ...message, keep: false }).finished, 'data-run').data
  backend.model.behave(says('Done.'))
  await decide(user, waitingRun.run_id)
  expect(await check(user, waitingRun.run_id)).toMatchObject({
    is_ready: false,
    task: { message: 'Counting' },
  })
  serverBehaviour.progress = completed
  expect(await check(user, waitingRun.run_id)).toMatchObject({ is_ready: true })
  expect(await decide(user, waitingRun.run_id)).toMatchObject({
    status: 200,
    body: { content: 'Done.', toolCalls: [{ result: { data: '42 guests' } }] },
  })
  expect(JSON.stringify(await backend.readRows(user))).not.toContain('guests')
})

describe('a hostile server', () => {
  const task = { resultType: 'task', taskId: 'x', status: 'working', ttlMs: null }

  it.each<[string, object]>([
    ['a huge id', { ...task, taskId: 'x'.repeat(1_001) }],
    ['no id', { ...task, taskId: '' }],
    ['an unknown state', { ...task, status: 'pending' }],
  ])('that begins a task with %s ends the call', async (_, created) => {
    serverBehaviour.create = created
    const { user } = await startApprovedCall()
    const [call] = await toolCalls(user)
    expect(call?.result.error).toBe(
      'Reports began a task in a way that cannot be followed. It may have been done: check before you try again.',
    )
  })

  it('cannot choose extreme polling intervals or send long texts to the card', async () => {
    serverBehaviour.create = {
      ...task,
      pollIntervalMs: 1e15,
      ttlMs: 1e300,
      statusMessage: `a\nb\u202e${'c'.repeat(5_000)}`,
    }
    const { question } = await startApprovedCall()
    expect(question?.task).toMatchObject({ poll_after_ms: 600_000 })
    expect(question?.task?.expires_at).toBeUndefined()
    expect(question?.task?.message).toMatch(/^a b ?c+…$/)
    expect(question?.task?.message?.length).toBe(200)
  })
})
