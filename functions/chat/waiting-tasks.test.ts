import { describe, expect, it } from 'vitest'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import { newConversationIds, aRun } from '../../test/support/conversations.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import type { PendingCall } from '../conversations/store/run.ts'
import type { ServerTask } from '../platform/server-task.ts'
import { zodParameters, type Tool } from '../tools/calls/tool.ts'
import * as z from 'zod'
import { checkTask, endPendingCalls } from './waiting-tasks.ts'

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
    name: 'build',
    description: 'Builds',
    parameters: zodParameters(z.object({})),
    writes: true,
    activity: 'other',
    timeoutMs: 30_000,
    integration,
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
