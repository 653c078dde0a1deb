import { expect, it, vi } from 'vitest'
import { buildTool } from '../../../test/support/reply-input.ts'
import { fingerprintTool, type Tool } from '../../tools/calls/tool.ts'
import { buildApprovalRequest } from './pending-calls.ts'
import type { PreparedCall } from './run-tool.ts'

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
