import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { buildCallContext, buildTool, listEvents } from '../../../test/support/reply-input.ts'
import type { CallHistory, PendingCall } from '../../conversations/store/run.ts'
import type { ServerTask } from '../../platform/server-task.ts'
import { fingerprintTool, zodParameters, type Tool } from '../../tools/calls/tool.ts'
import { runDecidedCalls } from './decided-calls.ts'
import { findPermission } from './pending-calls.ts'
import type { ActiveReply } from '../reply.ts'

const nowMs = 1_700_000_000_000
const fiveMinutes = 5 * 60_000
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: nowMs }))
afterEach(() => void vi.useRealTimers())

const mail = { mcpId: 'mail', name: 'Mail' }
const task: ServerTask = { id: 't1', server: 's', createdAtMs: nowMs - 1_000, pollMs: 1 }
const run = vi.fn<Tool['run']>(async () => 'sent')
const cancel = vi.fn<(task: ServerTask) => Promise<void>>(async () => undefined)
beforeEach(() => {
  run.mockClear()
  cancel.mockClear()
})
const send = buildTool({
  name: 'send',
  title: 'Send',
  writes: true,
  integration: mail,
  run,
  tasks: { check: async (known) => ({ isReady: false, task: known }), cancel },
})
const read: Tool = { ...send, name: 'read', writes: false }
const request = (changes: Partial<PendingCall> = {}): PendingCall => ({
  callId: 'c1',
  kind: 'approval',
  tool: 'send',
  title: 'Send',
  of: mail,
  fingerprint: fingerprintTool(send),
  arguments: '{"to":"ann"}',
  askedAtMs: 1,
  decision: 'approved',
  decidedAtMs: nowMs,
  ...changes,
})

async function decide(decided: PendingCall[], changes: Partial<ActiveReply> = {}) {
  const permissions: string[] = []
  const context = buildCallContext({
    tools: [send, read],
    ledger: { record: (_call, _outcome, permission) => permissions.push(permission) },
    ...changes,
  })
  const pending = await runDecidedCalls(context, decided)
  const events = listEvents(context.events)
  return {
    pending,
    permissions,
    events,
    histories: run.mock.calls.map(([, , history]) => history),
    errors: events.flatMap((event) =>
      event.type === 'tool-output-error'
        ? event.errorText
        : event.type === 'tool-output-denied'
          ? 'denied'
          : [],
    ),
    cancelled: cancel.mock.calls.map(([{ id }]) => id),
  }
}

it.each<[string, Tool | undefined, CallHistory, boolean, string]>([
  ['the user has approved it', send, { approvedAtMs: 0 }, true, 'approved'],
  ['it reads', read, {}, false, 'reading'],
  ['nothing is known of its tool', undefined, {}, true, 'reading'],
  ['its tool is always allowed', send, {}, true, 'always'],
  ['it was approved with a form or a sign-in', send, {}, false, 'approved'],
])('a call may run because %s', (_, tool, history, isAllowed, permission) => {
  expect(findPermission({ isAllowed: () => isAllowed }, tool, history)).toBe(permission)
})

describe('a call that was decided', () => {
  it('runs with the time of its approval, with the arguments that were shown', async () => {
    const { histories, permissions, pending, events } = await decide([request({ history: { rounds: 1 } })])
    expect(run.mock.calls[0]?.[0]).toEqual({ to: 'ann' })
    expect(histories).toEqual([{ rounds: 1, approvedAtMs: nowMs }])
    expect({ permissions, pending }).toEqual({ permissions: ['approved'], pending: [] })
    expect(events.map(({ type }) => type)).toEqual(['tool-input-available', 'tool-output-available'])
  })

  it('is announced again only if the user has changed its arguments', async () => {
    const { events } = buildCallContext()
    const input = { to: 'ann' }
    events.push({ type: 'tool-input-available', toolCallId: 'c1', toolName: 'send', input } as never)
    events.push({ type: 'tool-input-available', toolCallId: 'c2', toolName: 'send', input: {} } as never)
    await decide([request()], { events })
    expect(listEvents(events).map(({ type }) => type)).toEqual([
      'tool-input-available',
      'tool-input-available',
      'tool-output-available',
    ])
  })

  it.each([
    ['approval', 'denied'],
    ['reconnect', 'The user did not connect it again.'],
  ] as const)('and denied is not made (%s)', async (kind, error) => {
    const { errors, permissions } = await decide([request({ kind, decision: 'denied' })])
    expect({ errors, permissions }).toEqual({ errors: [error], permissions: ['denied'] })
    expect(run).not.toHaveBeenCalled()
  })

  it.each([
    [nowMs - fiveMinutes, []],
    [nowMs - fiveMinutes - 1, ['The approval came too long ago. Ask again.']],
  ])('counts for five minutes, and so does a sign-in', async (decidedAtMs, expected) => {
    expect((await decide([request({ decidedAtMs })])).errors).toEqual(expected)
    const signIn = request({
      kind: 'reconnect',
      tool: 'read',
      fingerprint: fingerprintTool(read),
      decidedAtMs,
    })
    expect((await decide([signIn])).errors).toEqual(expected)
  })

  it('waits for another approval if its tool has changed; what was sent before does not count', async () => {
    const { pending } = await decide([request({ fingerprint: 'old', history: { rounds: 1 } })])
    expect(pending).toMatchObject([{ kind: 'approval', fingerprint: fingerprintTool(send) }])
    expect(pending[0]).not.toHaveProperty('history')
  })

  it.each<[string, CallHistory, boolean, boolean]>([
    ['was not approved', {}, false, true],
    ['was approved five minutes ago', { approvedAtMs: nowMs - fiveMinutes }, false, false],
    ['was approved longer ago', { approvedAtMs: nowMs - fiveMinutes - 1 }, false, true],
    ['has the answers of the user', { inputResponses: {} }, false, false],
    ['is of a tool that is always allowed', {}, true, false],
  ])('after a sign-in: a write that %s', async (_, history, isAllowed, isAsked) => {
    const { pending } = await decide([request({ kind: 'reconnect', history })], {
      isAllowed: () => isAllowed,
    })
    expect(pending.map(({ kind }) => kind)).toEqual(isAsked ? ['approval'] : [])
    expect(pending.map((one) => one.history)).toEqual(isAsked ? [history] : [])
    expect(run).toHaveBeenCalledTimes(isAsked ? 0 : 1)
  })

  it.each(['approved', 'denied'] as const)(
    'with a form sends the answer to its server: %s',
    async (decision) => {
      const action = decision === 'approved' ? 'accept' : 'decline'
      const form = { mode: 'form' as const, key: 'k', message: 'Size?', fields: [] }
      const { histories, permissions } = await decide([
        request({
          kind: 'elicitation',
          decision,
          decidedAtMs: 1,
          elicitations: [form],
          response: { action },
        }),
      ])
      expect(histories).toMatchObject([{ inputResponses: { k: { action } } }])
      expect(permissions).toEqual(['approved'])
    },
  )

  it('waits beside others that run', async () => {
    const { pending } = await decide([
      request({ callId: 'c2' }),
      request({ callId: 'c1', fingerprint: 'old' }),
    ])
    expect(pending.map(({ callId }) => callId)).toEqual(['c1'])
    expect(run).toHaveBeenCalledTimes(1)
  })
})

describe('a task that was decided', () => {
  const taskRequest = (changes: Partial<PendingCall> = {}) =>
    request({ kind: 'task', history: { task, approvedAtMs: 1 }, ...changes })
  const cancelledText = 'The user cancelled this task before it was finished. Parts of it may have been done.'

  it('is followed, whatever its tool takes by now', async () => {
    const changed = { ...send, parameters: zodParameters(z.object({ day: z.string() })) }
    const { histories, permissions, cancelled } = await decide([taskRequest({ fingerprint: 'old' })], {
      tools: [changed],
    })
    expect(histories).toEqual([{ task, approvedAtMs: 1 }])
    expect({ permissions, cancelled }).toEqual({ permissions: ['approved'], cancelled: [] })
  })

  it.each<[string, Partial<PendingCall>, string]>([
    ['the user cancels it', { decision: 'denied' }, cancelledText],
    [
      'nobody asked for it in 30 days',
      { decision: 'denied', history: { task: { ...task, createdAtMs: nowMs - 31 * 86_400_000 } } },
      'The task was given up: its result was not fetched for 30 days. It may have been done.',
    ],
    [
      'its tool has changed since its server asked',
      { kind: 'elicitation', fingerprint: 'old' },
      cancelledText,
    ],
  ])('ends when %s', async (_, changes, error) => {
    expect(await decide([taskRequest(changes)], { isAllowed: () => true })).toMatchObject({
      errors: [error],
      permissions: ['history' in changes ? 'always' : 'approved'],
      cancelled: ['t1'],
      histories: [],
    })
  })

  it.each(['approved', 'denied'] as const)(
    'gets the answer to what its server asks: %s',
    async (decision) => {
      const { histories } = await decide([
        taskRequest({ kind: 'elicitation', decision, response: { action: 'accept', content: {} } }),
      ])
      expect(histories).toMatchObject([{ task, inputResponses: {} }])
    },
  )

  it.each<[string, Partial<PendingCall>, boolean, string]>([
    ['its connection is gone', {}, false, 'The task cannot be asked for any more'],
    ['it belongs to no connection', { of: undefined }, true, 'The task cannot be asked for any more'],
    [
      'its time is over',
      { history: { task: { ...task, expiresAtMs: nowMs } } },
      true,
      'The task was given up: its server did not respond',
    ],
  ])('ends without a tool that reaches it if %s', async (_, changes, isConnected, error) => {
    const { errors, pending } = await decide([taskRequest(changes)], {
      tools: [],
      isConnected: () => isConnected,
    })
    expect(errors).toEqual([expect.stringContaining(error)])
    expect(pending).toEqual([])
  })

  it('waits again if its server is only out of reach', async () => {
    const history = { task: { ...task, expiresAtMs: nowMs + 1 } }
    const { decision: _, decidedAtMs: __, ...waiting } = taskRequest({ history })
    const { errors, pending } = await decide([taskRequest({ history })], { tools: [] })
    expect(errors).toEqual([])
    expect(pending).toEqual([{ ...waiting, askedAtMs: nowMs }])
  })
})
