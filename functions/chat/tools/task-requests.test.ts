import { describe, expect, it, vi } from 'vitest'
import type { PendingCall } from '../../conversations/store/run.ts'
import type { Tool } from '../../tools/calls/tool.ts'
import { findTaskTool, hasTaskLapsed, toTaskRequest, waitAgain, wasSent } from './pending-calls.ts'

const task = { id: 't', server: 's', createdAtMs: 1_000, pollMs: 1 }
const request: PendingCall = {
  callId: 'c1',
  kind: 'elicitation',
  tool: 'build',
  title: 'Build',
  of: { mcpId: 'm', name: 'Reports' },
  fingerprint: 'f',
  arguments: '{}',
  askedAtMs: 1,
}

it('the request of a task has no values to send back', () => {
  const history = { rounds: 1, requestState: 's', inputResponses: {} }
  expect(toTaskRequest({ ...request, history }, task)).toStrictEqual({
    ...request,
    history: { rounds: 1, task },
  })
  expect(toTaskRequest(request, task)).toStrictEqual({ ...request, history: { task } })
})

it('a task that could not be fetched waits without its decision', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 77 })
  const decidedRequest: PendingCall = {
    ...request,
    decision: 'approved',
    decidedAtMs: 5,
    response: { action: 'accept' },
    elicitations: [],
    reconnect: { kind: 'scopes', scopes: [] } as never,
  }
  expect(waitAgain(decidedRequest, task)).toStrictEqual({
    ...request,
    kind: 'task',
    askedAtMs: 77,
    history: { task },
  })
  vi.useRealTimers()
})

describe('the tool that follows a task', () => {
  const tasks = {} as NonNullable<Tool['tasks']>
  const tool = (name: string, mcpId: string, changes: Partial<Tool> = {}) =>
    ({
      name,
      integration: { mcpId, name: mcpId },
      writes: false,
      tasks,
      appUri: 'ui://a',
      ...changes,
    }) as Tool

  it('is the tool of the call if that belongs to the same connection', () => {
    const namedTool = tool('build', 'm')
    expect(findTaskTool([], request, namedTool)).toBe(namedTool)
    const { of: _, ...ownRequest } = request
    expect(findTaskTool([], ownRequest, namedTool)).toBe(namedTool)
    expect(findTaskTool([tool('other', 'm')], ownRequest, undefined)).toBeUndefined()
  })

  it('is otherwise any tool of the connection that supports tasks, under the name of the call', () => {
    const { tasks: _, ...toolWithoutTasks } = tool('a', 'm')
    const otherTool = tool('b', 'm')
    const namedTool = tool('build', 'n')
    const { appUri: __, ...otherFields } = otherTool
    expect(findTaskTool([toolWithoutTasks, tool('c', 'n'), otherTool], request, namedTool)).toStrictEqual({
      ...otherFields,
      name: 'build',
      title: 'Build',
      writes: true,
    })
    expect(findTaskTool([otherTool], { ...request, title: '' }, undefined)).toMatchObject({ title: 'build' })
    expect(findTaskTool([toolWithoutTasks], request, namedTool)).toBeUndefined()
  })
})

it('a task expires after 30 days', () => {
  const days = 30 * 24 * 3_600_000
  const waitingCall: PendingCall = { ...request, kind: 'task', history: { task } }
  expect(hasTaskLapsed(waitingCall, 1_000 + days)).toBe(false)
  expect(hasTaskLapsed(waitingCall, 1_001 + days)).toBe(true)
  expect(hasTaskLapsed({ ...waitingCall, kind: 'approval' }, 1_001 + days)).toBe(false)
  expect(hasTaskLapsed({ ...waitingCall, history: {} }, 1_001 + days)).toBe(false)
})

it('a server has the arguments of a call once it has started a task or asked for input', () => {
  expect(wasSent(request)).toBe(false)
  expect(wasSent({ ...request, history: { rounds: 0 } })).toBe(false)
  expect(wasSent({ ...request, history: { rounds: 1 } })).toBe(true)
  expect(wasSent({ ...request, history: { task } })).toBe(true)
})
