import { describe, expect, it } from 'vitest'
import { newConversationIds, aRun, aTranscript } from '../../../test/support/conversations.ts'
import { isActive, pendingCall, run as runSchema, transcript, toRunView, type PendingCall } from './run.ts'

const askedAtMs = Date.parse('2026-03-01T12:00:00.000Z')
/** A question as rows may have it: with nothing that has a default. */
const bareCall = { callId: 'c', tool: 'send', arguments: '{"to":"ann"}', askedAtMs }

describe('a row of an earlier version of the product', () => {
  it('is read as a saved run without watchers and approval requests', () => {
    const { isSaved: _, fileIds: __, watchedUntilMs: ___, pending: ____, ...row } = aRun(newConversationIds())
    expect(runSchema.parse(row)).toEqual({
      ...row,
      isSaved: true,
      fileIds: [],
      epoch: 1,
      watchedUntilMs: 0,
      pending: [],
    })
  })

  it('asks for approval of a tool without a title', () => {
    expect(pendingCall.parse(bareCall)).toEqual({ ...bareCall, kind: 'approval', title: '', fingerprint: '' })
  })

  it('has a transcript without files', () => {
    const row = aTranscript()
    const said = [{ role: 'user', content: 'Hello' }]
    expect(transcript.parse({ ...row, said })).toEqual({
      ...row,
      said: [{ role: 'user', content: 'Hello', attachments: [] }],
    })
  })
})

describe('what the page sees of a run', () => {
  const run = aRun({ ...newConversationIds(), runId: 'r', replyId: 'a', messageId: 'm' })
  const view = { run_id: 'r', message_id: 'm', reply_id: 'a' }

  it('is its ids and its status, without requests while it runs', () => {
    const pending = [pendingCall.parse(bareCall)]
    expect(toRunView({ ...run, pending })).toEqual({ ...view, status: 'running' })
    const failedRun = {
      ...run,
      status: 'failed' as const,
      error: 'No room.',
      replaces: { messageId: 'o', turn: 1 },
      requestId: 'r1',
      failedAtMs: Date.parse('2026-03-01T12:00:00Z'),
    }
    expect(toRunView(failedRun)).toEqual({
      ...view,
      status: 'failed',
      error: 'No room.',
      request_id: 'r1',
      failed_at: '2026-03-01T12:00:00.000Z',
      replaces: 'o',
    })
  })

  it('includes its requests while it waits', () => {
    const pending = [
      pendingCall.parse(bareCall),
      pendingCall.parse({
        ...bareCall,
        kind: 'reconnect',
        title: 'Send a mail',
        of: { mcpId: 'gmail', name: 'Gmail', namespace: 'google' },
        description: 'Sends at once',
        destructive: true,
        fingerprint: 'f',
        decision: 'denied',
      }),
    ]
    const question = {
      call_id: 'c',
      tool: 'send',
      arguments: { to: 'ann' },
      asked_at: '2026-03-01T12:00:00.000Z',
    }
    expect(toRunView({ ...run, status: 'waiting', pending })).toEqual({
      ...view,
      status: 'waiting',
      questions: [
        { ...question, kind: 'approval', title: 'send', integration: null, mcp_id: null, decision: null },
        {
          ...question,
          kind: 'reconnect',
          title: 'Send a mail',
          integration: 'Gmail',
          mcp_id: 'gmail',
          namespace: 'google',
          description: 'Sends at once',
          destructive: true,
          decision: 'denied',
        },
      ],
    })
  })

  it('includes the tasks of servers, without their ids, while it waits for them', () => {
    const task = { id: 'secret', server: 's', createdAtMs: askedAtMs, pollMs: 2_000 }
    const buildTaskCall = (more: object) =>
      pendingCall.parse({ ...bareCall, kind: 'task', history: { task: { ...task, ...more } } })
    const pending = [
      buildTaskCall({ expiresAtMs: askedAtMs + 60_000, message: 'Half' }),
      buildTaskCall({}),
      pendingCall.parse({ ...bareCall, history: { task } }),
    ]
    const taskView = { started_at: '2026-03-01T12:00:00.000Z', poll_after_ms: 2_000 }
    const { questions } = toRunView({ ...run, status: 'waiting', pending })
    expect(questions?.map((question) => question.task)).toEqual([
      { ...taskView, expires_at: '2026-03-01T12:01:00.000Z', message: 'Half' },
      taskView,
      undefined,
    ])
    expect(JSON.stringify(questions)).not.toContain('secret')
  })

  it.each([
    ['running', true],
    ['waiting', true],
    ['done', false],
    ['stopped', false],
    ['failed', false],
    ['incomplete', false],
    ['interrupted', false],
  ] as const)('%s: is it active? %s', (status, expected) => {
    expect(isActive({ ...run, status })).toBe(expected)
  })
})

it('what the page sees of a request has what may have asked for it, and what its server asks', () => {
  const untrusted = [{ kind: 'web', label: 'a.example' }]
  const elicitations = [{ id: 'e', mode: 'url', message: 'Sign in', url: 'https://a.example/' }]
  const call = { ...pendingCall.parse(bareCall), untrusted, elicitations } as unknown as PendingCall
  const run = aRun({ ...newConversationIds(), status: 'waiting', pending: [call] })
  expect(toRunView(run).questions).toEqual([
    {
      call_id: 'c',
      kind: 'approval',
      tool: 'send',
      title: 'send',
      integration: null,
      mcp_id: null,
      untrusted,
      elicitations,
      arguments: { to: 'ann' },
      asked_at: '2026-03-01T12:00:00.000Z',
      decision: null,
    },
  ])
})
