import { describe, expect, it, vi } from 'vitest'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import { newConversationIds, aRun } from '../../test/support/conversations.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import type { PendingCall, Run } from '../conversations/store/run.ts'
import type { ServerTask } from '../platform/server-task.ts'
import { fingerprintTool, zodParameters, type Tool } from '../tools/calls/tool.ts'
import * as z from 'zod'
import { checkTask, endPendingCalls, hasConnection } from './waiting-tasks.ts'

const integration = { mcpId: 'reports', name: 'Reports' }
const day = 86_400_000

const waitingCall = (task: ServerTask): PendingCall => ({
  callId: 'c1',
  kind: 'task',
  tool: 'build',
  title: 'Build',
  of: integration,
  fingerprint: '',
  arguments: '{}',
  history: { task },
  askedAtMs: Date.now(),
})

const buildTool = {
  name: 'build',
  description: 'Builds',
  parameters: zodParameters(z.object({})),
  writes: true,
  activity: 'other',
  timeoutMs: 30_000,
  integration,
} as const

/**
 * Asks for a task of a custom server.
 * @param canList false: its tools cannot be listed. @param isReady what the server responds
 */
async function check(
  changes: Partial<ServerTask>,
  {
    canList = true,
    isReady = false,
    toolsAllowed,
  }: { canList?: boolean; isReady?: boolean; toolsAllowed?: ToolsAllowed } = {},
) {
  const task: ServerTask = { id: 'task-1', server: 's', createdAtMs: Date.now(), pollMs: 1_000, ...changes }
  const checkedTasks: ServerTask[] = []
  const tool: Tool = {
    ...buildTool,
    run: () => Promise.reject(new Error('never called')),
    tasks: {
      async check(known) {
        checkedTasks.push(known)
        return { isReady, task: known }
      },
      cancel: () => Promise.resolve(),
    },
  }
  const run = aRun({ ...newConversationIds(), status: 'waiting', pending: [waitingCall(task)] })
  const customTool = { id: integration.mcpId, name: 'Reports', is_active: true } as never
  const { is_ready } = await checkTask(
    {
      user: { sub: run.sub },
      params: { sessionId: run.sessionId },
      body: { runId: run.runId, callId: 'c1' },
    } as ValidRequest<'runs.checkTask'>,
    {
      stores: { runs: { find: () => Promise.resolve(run) } as never },
      toolProvider: {
        listConnected: async () => ({
          integrations: [],
          customTools: [{ ...(customTool as object), id: 'another' } as never, customTool],
        }),
        loadTools: async () => ({ tools: canList ? [tool] : [], missing: [], isAllowed: () => false }),
      },
      toolsAllowed,
    },
  )
  return { isReady: is_ready, checks: checkedTasks.length }
}

describe('DEC-192 a task', () => {
  it('of a server that the user may no longer use is not fetched, and the reply continues', async () => {
    expect(await check({}, { toolsAllowed: 'catalogue' })).toEqual({ isReady: true, checks: 0 })
    expect(await check({}, { toolsAllowed: 'all' })).toEqual({ isReady: false, checks: 1 })
  })

  it('of a server whose tools cannot be listed waits until its time is over', async () => {
    const options = { canList: false }
    expect(await check({}, options)).toEqual({ isReady: false, checks: 0 })
    expect(await check({ expiresAtMs: Date.now() + day }, options)).toMatchObject({ isReady: false })
    expect(await check({ expiresAtMs: Date.now() - 1 }, options)).toMatchObject({ isReady: true })
    expect(await check({ createdAtMs: Date.now() - 31 * day }, options)).toMatchObject({ isReady: true })
  })

  it('whose time is over is fetched as long as its server responds', async () => {
    expect(await check({ expiresAtMs: Date.now() - 1 })).toEqual({ isReady: false, checks: 1 })
    expect(await check({ expiresAtMs: Date.now() - 1 }, { isReady: true })).toEqual({
      isReady: true,
      checks: 1,
    })
  })
})

it('DEC-192 a stopped task is in the ledger even if the connections cannot be read', async () => {
  const recordedCalls: unknown[] = []
  const request = waitingCall({ id: 'task-1', server: 's', createdAtMs: 1, pollMs: 1 })
  await endPendingCalls(
    {
      toolProvider: {
        listConnected: () => Promise.reject(new Error('the table is down')),
        loadTools: () => Promise.reject(new Error('never called')),
        record: async (_, record) => void recordedCalls.push(record),
      },
    },
    { sub: 'ann', pending: [request], isSaved: true },
  )
  expect(recordedCalls).toMatchObject([
    { tool: { name: 'build', title: 'Build', integration }, success: false },
  ])
})

it.each([
  ['a schedule that approves no tool', [], 'approved'],
  ['a schedule that approves the tool', ['build'], 'always'],
])('records a stopped call of %s as %s', async (_, approved, permission) => {
  const permissions: string[] = []
  const request = waitingCall({ id: 'task-1', server: 's', createdAtMs: 1, pollMs: 1 })
  const tool: Tool = {
    ...buildTool,
    run: async () => undefined,
    tasks: { check: () => Promise.reject(new Error('not asked')), cancel: async () => undefined },
  }
  await endPendingCalls(
    {
      toolProvider: {
        listConnected: async () => ({ integrations: [], customTools: [{ id: integration.mcpId }] }) as never,
        // always allowed in chats
        loadTools: async () => ({ tools: [tool], missing: [], isAllowed: () => true }),
        record: async (_sub, record) => void permissions.push(record.permission),
      },
    },
    {
      sub: 'ann',
      pending: [request],
      isSaved: true,
      schedule: { id: 's', writes: approved.map((name) => ({ name, fingerprint: fingerprintTool(tool) })) },
    },
  )
  expect(permissions).toEqual([permission])
})

describe('a check', () => {
  const task: ServerTask = { id: 'task-1', server: 's', createdAtMs: 1_000, pollMs: 5_000, message: 'Half' }
  const newer: ServerTask = { ...task, pollMs: 9_000, message: 'Nearly' }

  async function ask(changes: Partial<Run> = {}, body: object = {}, server: object = {}) {
    const run = aRun({ ...newConversationIds(), status: 'waiting', pending: [waitingCall(task)], ...changes })
    const loadTools = vi.fn<Parameters<typeof checkTask>[1]['toolProvider']['loadTools']>(async () => ({
      tools: [
        {
          name: 'build',
          integration,
          tasks: { check: async () => ({ isReady: true, task: newer }), cancel: async () => undefined },
          ...server,
        } as unknown as Tool,
      ],
      missing: [],
      isAllowed: () => false,
    }))
    const connected = { integrations: [], customTools: [{ id: integration.mcpId }] } as never
    const checked = await checkTask(
      {
        user: { sub: run.sub },
        params: { sessionId: run.sessionId },
        body: { runId: run.runId, callId: 'c1', ...body },
      } as ValidRequest<'runs.checkTask'>,
      {
        stores: { runs: { find: async () => run } as never },
        toolProvider: { listConnected: async () => connected, loadTools },
      },
    )
    return { checked, loadTools, run, connected }
  }
  const waiting = { status: 'waiting' as const }

  it('says how far the server is, with the tools of its connection alone', async () => {
    const { checked, loadTools, run, connected } = await ask(waiting)
    expect(checked).toEqual({
      is_ready: true,
      task: { started_at: '1970-01-01T00:00:01.000Z', poll_after_ms: 9_000, message: 'Nearly' },
    })
    expect(loadTools.mock.calls).toEqual([
      [run.sub, connected, { only: ['reports'], toolsAllowed: undefined }],
    ])
  })

  it('says what was known before if the server is not asked', async () => {
    const { checked } = await ask(waiting, {}, { tasks: undefined })
    expect(checked).toEqual({
      is_ready: true,
      task: { started_at: '1970-01-01T00:00:01.000Z', poll_after_ms: 5_000, message: 'Half' },
    })
  })

  it.each<[string, Partial<Run>, object]>([
    ['the run does not wait', { status: 'running' }, {}],
    ['another run waits', waiting, { runId: 'another' }],
    ['another call waits', waiting, { callId: 'c2' }],
    [
      'the call waits for its approval',
      { ...waiting, pending: [{ ...waitingCall(task), kind: 'approval' }] },
      {},
    ],
    ['the call has no task', { ...waiting, pending: [{ ...waitingCall(task), history: {} }] }, {}],
    ['the call has no history', { ...waiting, pending: [{ ...waitingCall(task), history: undefined }] }, {}],
    ['the task was decided', { ...waiting, pending: [{ ...waitingCall(task), decision: 'approved' }] }, {}],
  ])('is refused if %s', async (_, changes, body) => {
    await expect(ask(changes, body)).rejects.toMatchObject({ code: 'run_not_found' })
  })
})

it.each([
  ['connected', true],
  ['error', false],
])('a server in the state %s has a connection: %s', (status, isConnected) => {
  const rows = { integrations: [{ mcp_id: 'a', status }], customTools: [{ id: 'own' }] } as never
  expect([hasConnection(rows, 'a', undefined), hasConnection(rows, 'b', undefined)]).toEqual([
    isConnected,
    false,
  ])
  expect([hasConnection(rows, 'own', undefined), hasConnection(rows, 'own', 'catalogue')]).toEqual([
    true,
    false,
  ])
  expect([hasConnection(rows, 'a', 'catalogue'), hasConnection(rows, 'a', 'none')]).toEqual([
    isConnected,
    false,
  ])
})

describe('calls that nobody waits for', () => {
  const task: ServerTask = { id: 'task-1', server: 's', createdAtMs: 1, pollMs: 1 }
  async function end(pending: PendingCall[], { isAllowed = false, fails = false } = {}) {
    const cancelled: unknown[] = []
    const recorded: unknown[] = []
    const tool = {
      name: 'build',
      writes: true,
      integration,
      tasks: { cancel: async (one: ServerTask) => void cancelled.push(one) },
    } as unknown as Tool
    await endPendingCalls(
      {
        toolProvider: {
          listConnected: async () =>
            ({ integrations: [], customTools: [{ id: integration.mcpId }] }) as never,
          loadTools: async () => ({ tools: [tool], missing: [], isAllowed: () => isAllowed }),
          record: async (...entry) => {
            if (fails) throw new Error('the table is down')
            recorded.push(entry)
          },
        },
      },
      { sub: 'ann', pending, isSaved: false },
    )
    return { cancelled, recorded }
  }
  const entry = {
    tool: { name: 'build', title: 'Build', integration },
    input: { month: 'May' },
    success: false,
    error: 'Stopped before it was finished. It may have been done.',
    codes: [{ code: 'call_stopped', params: { reason: 'unfinished' } }],
    resultSize: 0,
  }
  const request = { ...waitingCall(task), arguments: '{"month":"May"}' }

  it.each<[string, Partial<PendingCall>, object, object]>([
    ['with the approval of the user', { history: { task, approvedAtMs: 1 } }, {}, { permission: 'approved' }],
    ['with a permission for always', {}, { isAllowed: true }, { permission: 'always' }],
    ['without a name for the page', { title: '' }, {}, { tool: { ...entry.tool, title: 'build' } }],
    [
      'of a tool of the product',
      { of: undefined },
      {},
      { tool: { name: 'build', title: 'Build' }, permission: 'reading' },
    ],
    ['with arguments that are no object', { arguments: '[' }, {}, { input: {} }],
  ])('are recorded %s, and their tasks end', async (_, changes, options, recorded) => {
    const ended = await end([{ ...request, ...changes }], options)
    expect(ended.recorded).toEqual([['ann', { ...entry, permission: 'approved', ...recorded }, false]])
    expect(ended.cancelled).toEqual('of' in changes ? [] : [task])
  })

  it('are recorded without a task if their server has asked for something', async () => {
    const { recorded, cancelled } = await end([{ ...request, history: { rounds: 1 } }])
    expect([recorded.length, cancelled]).toEqual([1, []])
  })

  it('are not recorded if no server was sent them', async () => {
    expect(await end([{ ...request, history: {} }])).toEqual({ recorded: [], cancelled: [] })
  })

  it('end although the ledger cannot be written', async () => {
    expect((await end([request, request], { fails: true })).cancelled).toEqual([task, task])
  })
})
