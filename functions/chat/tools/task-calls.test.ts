import type { ServerTask } from '../../platform/server-task.ts'
import { ReplyLog } from '../../conversations/store/reply-log.ts'
import { toReplyParts } from '../../conversations/turns/stored-reply.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { buildGenerateInput } from '../../../test/support/reply-input.ts'
import { ReconnectRequired } from '../../providers/reconnect-required.ts'
import type { PendingCall } from '../../conversations/store/run.ts'
import { type CallContinuation, InputRequired, TaskUnfinished } from '../../tools/calls/unfinished-calls.ts'
import { fingerprintTool, zodParameters, type Tool } from '../../tools/calls/tool.ts'
import { generateReply } from '../generate-reply.ts'
import type { Model } from '../../models/model.ts'
import type { ActiveReply } from '../reply.ts'

const task: ServerTask = { id: 'task-1', server: 's', createdAtMs: 1, pollMs: 1_000, message: 'Counting' }
const integration = { mcpId: 'm', name: 'Reports' }

const cancelledIds: string[] = []
const continuations: (CallContinuation | undefined)[] = []
beforeEach(() => {
  cancelledIds.length = 0
  continuations.length = 0
})

/** The tool `build`, which writes. @param end the result of a call; an error is thrown */
const taskTool = (end: unknown, changes: Partial<Tool> = {}): Tool => ({
  name: 'build',
  description: 'Builds',
  parameters: zodParameters(z.object({ month: z.string() })),
  writes: true,
  activity: 'other',
  timeoutMs: 30_000,
  integration,
  run: async (_input, _signal, continuation) => {
    continuations.push(continuation)
    if (end instanceof Error) throw end
    return end
  },
  tasks: {
    check: async (known) => ({ isReady: false, task: known }),
    cancel: async ({ id }) => void cancelledIds.push(id),
  },
  ...changes,
})

/** Generates a reply that continues with a decided request or, without one, makes the call. */
async function reply(tool: Tool, decidedRequest?: Partial<PendingCall>, more: Partial<ActiveReply> = {}) {
  let round = 0
  const recordedPermissions: string[] = []
  const model: Model = {
    complete: async ({ onText }) => {
      round += 1
      const isCall = round === 1 && !decidedRequest
      if (!isCall) onText('Done.')
      const toolCalls = isCall ? [{ id: '1', name: 'build', arguments: '{"month":"May"}' }] : []
      return { text: isCall ? '' : 'Done.', toolCalls, truncated: false, inputTokens: 1, outputTokens: 1 }
    },
  }
  const input = buildGenerateInput(model, {
    tools: [tool],
    isAllowed: () => !decidedRequest,
    ledger: { record: (_call, _outcome, allowed) => recordedPermissions.push(allowed) },
    ...(decidedRequest && {
      decidedCalls: [
        {
          callId: '1',
          kind: 'task',
          tool: 'build',
          title: 'Build',
          fingerprint: fingerprintTool(tool),
          arguments: '{"month":"May"}',
          history: { task, approvedAtMs: 1 },
          askedAtMs: 1,
          decision: 'approved',
          decidedAtMs: Date.now(),
          ...decidedRequest,
        },
      ],
    }),
    ...more,
  })
  const outcome = await generateReply(input)
  return {
    outcome,
    recordedPermissions,
    results: toReplyParts(input.events.reply).toolCalls.map(({ result }) => result),
  }
}

describe('a call whose server needs longer', () => {
  it('waits with its task, and is in the ledger once it has ended', async () => {
    const { outcome, recordedPermissions } = await reply(taskTool(new TaskUnfinished(task)))
    expect(outcome).toMatchObject({ status: 'waiting', pending: [{ kind: 'task', history: { task } }] })
    expect(recordedPermissions).toEqual([])
    const endedReply = await reply(taskTool('42 guests'), {})
    expect(endedReply.results).toEqual([{ success: true, data: '42 guests' }])
    expect(endedReply.recordedPermissions).toEqual(['approved'])
  })

  it('is cancelled when no run can wait', async () => {
    const { results } = await reply(taskTool(new TaskUnfinished(task)), undefined, { canAskUser: false })
    expect(results).toMatchObject([{ success: false, error: expect.stringMatching(/longer than/) as string }])
    expect(cancelledIds).toEqual(['task-1'])
  })

  it('is cancelled if it asks for something that nobody can answer', async () => {
    const asks = new InputRequired({ requests: [], task })
    await reply(taskTool(asks), undefined, { canAskUser: false })
    expect(cancelledIds).toEqual(['task-1'])
    await reply(taskTool(asks), { history: { task, rounds: 5 } })
    expect(cancelledIds).toEqual(['task-1', 'task-1'])
  })
})

describe('DEC-192 a stop while another call of the round still runs', () => {
  it('cancels a task that has started meanwhile, and records its call', async () => {
    const stop = new AbortController()
    const slowTool = taskTool('never', {
      name: 'slow',
      run: (_input, signal) => {
        stop.abort(new Error('stopped'))
        return Promise.reject(signal.reason as Error)
      },
    })
    const brokenTool = taskTool(new ReconnectRequired(integration), { name: 'refused' })
    const calls = ['build', 'refused', 'slow'].map((name) => ({
      id: name,
      name,
      arguments: '{"month":"May"}',
    }))
    const events = new ReplyLog()
    const recordedCalls: unknown[] = []
    const replying = reply(taskTool(new TaskUnfinished(task)), undefined, {
      tools: [taskTool(new TaskUnfinished(task)), brokenTool, slowTool],
      model: {
        complete: async () => ({
          text: '',
          toolCalls: calls,
          truncated: false,
          inputTokens: 1,
          outputTokens: 1,
        }),
      },
      events,
      signal: stop.signal,
      ledger: { record: ({ call }, _outcome, allowed) => recordedCalls.push([call.name, allowed]) },
    })
    await expect(replying).rejects.toThrow('stopped')
    expect(cancelledIds).toEqual(['task-1'])
    expect(recordedCalls).toEqual([
      ['slow', 'always'],
      ['build', 'always'],
    ])
    expect(toReplyParts(events.reply).toolCalls).toMatchObject([
      { tool: 'build', result: { error: 'Stopped before it was finished. It may have been done.' } },
      { tool: 'slow' },
    ])
  })
})

describe('a task that has ended', () => {
  it('is fetched although its tool has changed its parameters, or was approved long ago', async () => {
    const changedTool = taskTool('42 guests', { parameters: zodParameters(z.object({ year: z.number() })) })
    const { results } = await reply(changedTool, { fingerprint: 'before', decidedAtMs: 1 })
    expect(results).toEqual([{ success: true, data: '42 guests' }])
    expect(continuations).toMatchObject([{ task }])
  })

  it('is an error if its tool is gone', async () => {
    const { results } = await reply(taskTool('never'), { tool: 'other' })
    expect(results).toMatchObject([{ success: false }])
    expect(continuations).toEqual([])
  })

  it('is fetched later if the tools of its connection cannot be listed, without another call', async () => {
    const youngHistory = { task: { ...task, createdAtMs: Date.now() }, approvedAtMs: 1 }
    const { outcome, results } = await reply(
      taskTool('never'),
      { of: integration, history: youngHistory },
      { tools: [] },
    )
    expect(results).toEqual([])
    if (outcome.status !== 'waiting') throw new Error('does not wait')
    const [waiting] = outcome.pending
    expect(waiting).toMatchObject({ kind: 'task', of: integration, history: youngHistory })
    expect(waiting?.decision).toBeUndefined()
    expect(waiting?.askedAtMs).toBeGreaterThan(1)
    const laterReply = await reply(taskTool('42 guests'), { ...waiting, decision: 'approved' })
    expect(laterReply.results).toEqual([{ success: true, data: '42 guests' }])
    expect(continuations).toMatchObject([youngHistory])
  })

  it('DEC-192 is an error if the tools of its connection cannot be listed until its time is over', async () => {
    const expiredRequest = {
      history: { task: { ...task, createdAtMs: Date.now(), expiresAtMs: Date.now() - 1 } },
      of: integration,
    }
    const { outcome, results } = await reply(taskTool('never'), expiredRequest, { tools: [] })
    expect(outcome.status).toBe('done')
    expect(results).toMatchObject([
      { error: expect.stringMatching(/^The task was given up: its server/) as string },
    ])
    expect(continuations).toEqual([])
  })

  it('is fetched or cancelled with another tool of its connection if its own is gone', async () => {
    const otherTool = taskTool('42 guests', { name: 'other' })
    const { results } = await reply(otherTool, { of: integration })
    expect(results).toEqual([{ success: true, data: '42 guests' }])
    expect(continuations).toMatchObject([{ task }])
    await reply(otherTool, { of: integration, decision: 'denied' })
    expect(cancelledIds).toEqual(['task-1'])
  })

  it('is an error if its connection is gone', async () => {
    const withoutConnection = { tools: [], isConnected: () => false }
    const { results } = await reply(taskTool('never'), { of: integration }, withoutConnection)
    expect(results).toMatchObject([{ error: expect.stringMatching(/may have been done/) as string }])
  })

  it('waits for a sign-in if it needs one, and then needs no second approval', async () => {
    const { outcome } = await reply(taskTool(new ReconnectRequired(integration)), {})
    expect(outcome).toMatchObject({ status: 'waiting', pending: [{ kind: 'reconnect', history: { task } }] })
    const { results } = await reply(taskTool('42 guests'), { kind: 'reconnect' })
    expect(results).toEqual([{ success: true, data: '42 guests' }])
    expect(continuations.at(-1)).toMatchObject({ task })
  })
})

describe('a task whose call waited for something else', () => {
  const cancelledResults = [{ success: false, error: expect.stringMatching(/^The user cancelled/) as string }]

  it('is followed after a sign-in, although its tool has changed', async () => {
    const { outcome, results } = await reply(taskTool('42 guests'), {
      kind: 'reconnect',
      fingerprint: 'before',
    })
    expect(outcome.status).toBe('done')
    expect(results).toEqual([{ success: true, data: '42 guests' }])
    expect(continuations).toMatchObject([{ task }])
  })

  it('is followed after a sign-in, however long ago that was', async () => {
    const { results } = await reply(taskTool('42 guests'), { kind: 'reconnect', decidedAtMs: 1 })
    expect(results).toEqual([{ success: true, data: '42 guests' }])
    expect(continuations).toMatchObject([{ task }])
  })

  it('is cancelled if the user does not sign in', async () => {
    const { results } = await reply(taskTool('never'), { kind: 'reconnect', decision: 'denied' })
    expect(results).toMatchObject(cancelledResults)
    expect(continuations).toEqual([])
    expect(cancelledIds).toEqual(['task-1'])
  })

  it('gets the answers if its tool has not changed', async () => {
    await reply(taskTool('42 guests'), { kind: 'elicitation', decidedAtMs: 1 })
    expect(continuations).toMatchObject([{ task, inputResponses: {} }])
  })

  it('is cancelled if its tool has changed: the answers are not sent, and nothing is fetched', async () => {
    const { outcome, results } = await reply(taskTool('never'), {
      kind: 'elicitation',
      fingerprint: 'before',
    })
    expect(outcome.status).toBe('done')
    expect(results).toMatchObject(cancelledResults)
    expect(continuations).toEqual([])
    expect(cancelledIds).toEqual(['task-1'])
  })
})
