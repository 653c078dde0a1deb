import { sayTool } from '#shared/sentences/tools.ts'
import type { ServerTask } from '../../platform/server-task.ts'
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { AddressForbidden } from '../../platform/net/outbound-http.ts'
import { fingerprintServer, TaskFailed, type TaskClient } from '../../mcp/tasks.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { ReconnectRequired } from '../../providers/reconnect-required.ts'
import { aServerConnection } from '../../../test/support/server-connection.ts'
import type { McpClient } from './remote.ts'
import { serverTasks } from './follow-task.ts'
import { InputRequired, TaskUnfinished } from '../calls/unfinished-calls.ts'

const url = 'https://reports.example/mcp'
const integration = { mcpId: 'reports', name: 'Reports' }
const buildTask = (overrides: Partial<ServerTask> = {}): ServerTask => ({
  id: 'task-1',
  server: fingerprintServer(url),
  createdAtMs: Date.now(),
  pollMs: 60_000,
  ...overrides,
})
const neverAborted = new AbortController().signal
const form = {
  method: 'elicitation/create',
  params: { message: 'Please', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } },
}

/** The tasks of a server. @param states its responses to `tasks/get`, one after the other, the last one repeated; an error is thrown */
function connect(...states: (object | Error)[]) {
  const sent: { method: string; params?: Record<string, unknown> }[] = []
  let index = 0
  const request = (async ({ method, params }: { method: string; params?: Record<string, unknown> }) => {
    const name = method.split('/').at(-1) ?? ''
    sent.push({ method: name, ...(params && { params }) })
    if (name !== 'get') return {}
    const state = states[Math.min(index, states.length - 1)]
    index += 1
    if (state instanceof Error) throw state
    return { taskId: 'task-1', ttlMs: null, pollIntervalMs: 60_000, ...state }
  }) as unknown as TaskClient['request']
  const check = (address: string) => {
    throw new AddressForbidden(address)
  }
  const client = {
    use: (_, __, work) => work({ request } as unknown as Client),
    checkAddress: check,
  } satisfies Pick<McpClient, 'use' | 'checkAddress'>
  const tasks = serverTasks(client, aServerConnection(url, { integration }))
  return { tasks, sent, listMethods: () => sent.map(({ method }) => method) }
}
const workingState = { status: 'working' }
const doneState = { status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } }
const noAnswer = new ProviderError(sayTool('tool_failed', { message: 'Reports did not answer.' }), 503)

describe('a task', () => {
  it('is not requested from another server', async () => {
    const { tasks, sent } = connect(doneState)
    const movedTask = buildTask({ server: fingerprintServer('https://other.example/mcp') })
    await expect(tasks.follow(movedTask, neverAborted, { task: movedTask })).rejects.toMatchObject({
      message: expect.stringMatching(/connected to another server now/) as string,
      isOutcomeUnknown: true,
    })
    expect(await tasks.check(movedTask, neverAborted)).toEqual({ isReady: true, task: movedTask })
    await tasks.cancel(movedTask)
    expect(sent).toEqual([])
  })

  it('is first requested after its interval if it is new, and at once if it is from an earlier request', async () => {
    const { tasks, listMethods } = connect(doneState)
    await expect(tasks.follow(buildTask(), neverAborted)).rejects.toThrow(TaskUnfinished)
    expect(listMethods()).toEqual([])
    expect(await tasks.follow(buildTask(), neverAborted, { task: buildTask() })).toMatchObject(
      doneState.result,
    )
    expect(listMethods()).toEqual(['get'])
  })

  it('is cancelled when the reply is stopped while it is followed', async () => {
    const { tasks, listMethods } = connect(workingState)
    const stop = new AbortController()
    const following = tasks.follow(buildTask({ pollMs: 5_000 }), stop.signal)
    stop.abort(new Error('stopped'))
    await expect(following).rejects.toThrow('stopped')
    expect(listMethods()).toEqual(['cancel'])
  })

  it('survives failed requests, and is given up once its time is over', async () => {
    const { tasks } = connect(noAnswer)
    const newTask = buildTask({ expiresAtMs: Date.now() + 60_000 })
    await expect(tasks.follow(newTask, neverAborted, { task: newTask })).rejects.toThrow(TaskUnfinished)
    expect(await tasks.check(newTask, neverAborted)).toEqual({ isReady: false, task: newTask })
    const oldTask = buildTask({ expiresAtMs: Date.now() - 1 })
    await expect(tasks.follow(oldTask, neverAborted, { task: oldTask })).rejects.toThrow(TaskFailed)
    expect(await tasks.check(oldTask, neverAborted)).toEqual({ isReady: true, task: oldTask })
  })

  it('that never ends is cancelled after 30 days', async () => {
    const { tasks, listMethods } = connect(workingState)
    const oldTask = buildTask({ createdAtMs: Date.now() - 31 * 86_400_000 })
    await expect(tasks.follow(oldTask, neverAborted, { task: oldTask })).rejects.toMatchObject({
      message: expect.stringMatching(/not finished in time/) as string,
      isOutcomeUnknown: true,
    })
    expect(listMethods()).toEqual(['get', 'cancel'])
  })

  it('waits for a sign-in without repeating its call', async () => {
    const { tasks } = connect(new ReconnectRequired(integration))
    // begun by this call: the call must not be repeated, so the task is what waits
    await expect(tasks.follow(buildTask({ pollMs: 1 }), neverAborted)).rejects.toThrow(TaskUnfinished)
    expect(await tasks.check(buildTask(), neverAborted)).toMatchObject({ isReady: true })
    await expect(tasks.follow(buildTask(), neverAborted, { task: buildTask() })).rejects.toThrow(
      ReconnectRequired,
    )
  })
})

describe('the input that a task requests', () => {
  const requestInput = (...keys: string[]) => ({
    status: 'input_required',
    inputRequests: Object.fromEntries(keys.map((key) => [key, form])),
  })

  it('is requested once: after an answer the task is waited for', async () => {
    const { tasks, sent } = connect(requestInput('a'), requestInput('a'), doneState)
    const outcome = await tasks
      .follow(buildTask(), neverAborted, { task: buildTask() })
      .catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(InputRequired)
    const { task } = (outcome as InputRequired).request
    const inputResponses = { a: { action: 'accept', content: { a: 'x' } } }
    const unfinished = await tasks
      .follow(buildTask(), neverAborted, { task, inputResponses })
      .catch((error: unknown) => error)
    expect(unfinished).toBeInstanceOf(TaskUnfinished)
    expect(sent[1]).toEqual({ method: 'update', params: { taskId: 'task-1', inputResponses } })
    const answered = (unfinished as TaskUnfinished).task
    expect(answered.answered).toEqual(['a'])
    expect(await tasks.follow(answered, neverAborted, { task: answered })).toMatchObject(doneState.result)
  })

  it('is requested for the keys without an answer', async () => {
    const { tasks } = connect(requestInput('a', 'b'))
    const answered = buildTask({ answered: ['a'] })
    const outcome = await tasks
      .follow(answered, neverAborted, { task: answered })
      .catch((error: unknown) => error)
    expect((outcome as InputRequired).request.requests.map(({ key }) => key)).toEqual(['b'])
    expect(await tasks.check(answered, neverAborted)).toMatchObject({ isReady: true })
    const all = buildTask({ answered: ['a', 'b'] })
    expect(await tasks.check(all, neverAborted)).toMatchObject({ isReady: false })
  })

  it('is refused for a URL inside the network, and the task is cancelled', async () => {
    const page = {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Go', url: 'https://10.0.0.1/' },
    }
    const { tasks, listMethods } = connect({ status: 'input_required', inputRequests: { page } })
    await expect(tasks.follow(buildTask(), neverAborted, { task: buildTask() })).rejects.toThrow(
      /not a public https address/,
    )
    expect(listMethods()).toEqual(['get', 'cancel'])
  })
})
