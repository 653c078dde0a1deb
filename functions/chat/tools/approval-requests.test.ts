import { expect, it, vi } from 'vitest'
import { buildCallContext, buildTool, listEvents } from '../../../test/support/reply-input.ts'
import { fingerprintTool, type Tool } from '../../tools/calls/tool.ts'
import { askUser, buildApprovalRequest } from './approval-requests.ts'
import type { PreparedCall } from './run-tool.ts'
import type { ActiveReply } from '../reply.ts'

const send = buildTool({ name: 'mail_send', title: 'Send', description: 'Sends', writes: true })
const serverTool: Tool = {
  ...send,
  integration: { mcpId: 'mail', name: 'Mail', namespace: 'com.example' },
  serverHints: { description: 'Sends a mail.', destructive: true },
}
const prepare = (changes: Partial<PreparedCall> = {}): PreparedCall => ({
  call: { id: 'c1', name: 'mail_send', arguments: '{ "to": "ann" }' },
  tool: send,
  input: { to: 'ann' },
  problem: undefined,
  ...changes,
})
const common = { callId: 'c1', tool: 'mail_send', arguments: '{"to":"ann"}', askedAtMs: 77 }

it.each<[string, Parameters<typeof buildApprovalRequest>, object]>([
  [
    'a tool of the product',
    [prepare(), 'approval'],
    { kind: 'approval', title: 'Send', fingerprint: fingerprintTool(send) },
  ],
  [
    'a server’s tool: the user sees what its server says',
    [prepare({ tool: serverTool }), 'approval'],
    {
      kind: 'approval',
      title: 'Send',
      of: serverTool.integration,
      description: 'Sends a mail.',
      destructive: true,
      fingerprint: fingerprintTool(serverTool),
    },
  ],
  [
    'a connection to be made again: nothing is approved, and the description is not needed',
    [
      prepare({ tool: serverTool, history: { steppedUp: true } }),
      'reconnect',
      { kind: 'moved', host: 'a.example' },
    ],
    {
      kind: 'reconnect',
      title: 'Send',
      of: serverTool.integration,
      reconnect: { kind: 'moved', host: 'a.example' },
      fingerprint: fingerprintTool(serverTool),
      history: { steppedUp: true },
    },
  ],
  [
    'a tool without a title',
    [prepare({ tool: { ...send, title: undefined as never } }), 'approval'],
    {
      kind: 'approval',
      title: 'mail_send',
      fingerprint: fingerprintTool({ ...send, title: undefined as never }),
    },
  ],
  [
    'a tool that is gone',
    [prepare({ tool: undefined }), 'task'],
    { kind: 'task', title: 'mail_send', fingerprint: '' },
  ],
])('asks for %s, with the arguments that will run', (_, input, request) => {
  vi.useFakeTimers({ toFake: ['Date'], now: 77 })
  expect(buildApprovalRequest(...input)).toStrictEqual({ ...common, ...request })
  vi.useRealTimers()
})

const request = buildApprovalRequest(prepare(), 'approval')

it.each([undefined, true])('asks the user when a run can wait (%s)', (canAskUser) => {
  const context = buildCallContext(canAskUser === undefined ? {} : { canAskUser })
  expect(askUser(context, prepare(), 'approval', request)).toEqual([request])
  expect(listEvents(context.events)).toEqual([])
})

it.each([
  ['approval', 'Not done: the user has to allow it, in a chat of the page.'],
  ['reconnect', 'Not done: the user has to connect it again, in a chat of the page.'],
  ['elicitation', 'Not finished: the user has to answer what its server asks, in a chat of the page.'],
] as const)('tells the model what only the user could do when no run can wait: %s', (kind, errorText) => {
  const recordCall = vi.fn<ActiveReply['ledger']['record']>()
  const context = buildCallContext({ canAskUser: false, ledger: { record: recordCall } })
  expect(askUser(context, prepare(), kind, request)).toEqual([])
  expect(listEvents(context.events)).toMatchObject([
    { type: 'tool-output-error', toolCallId: 'c1', errorText },
  ])
  expect(recordCall.mock.calls.map(([, , permission]) => permission)).toEqual(['denied'])
})
