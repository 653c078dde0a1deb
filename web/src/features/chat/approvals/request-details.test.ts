import { expect, it } from 'vitest'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import { describeArguments, describeCall } from '../waiting/describe-call.ts'
import { describeRequest, describeUntrusted } from './request-details.tsx'

it('says that an e-mail is sent for good only of a tool that is known to send it', () => {
  expect(describeRequest(anApprovalRequest(), 'Juno')).toBe('This is sent in your name and cannot be undone.')
  // a server may keep the same arguments as a draft
  const draft = anApprovalRequest({
    tool: 'mail_create_draft',
    title: 'Create a draft',
    integration: 'Mail',
    mcp_id: 'custom-1',
  })
  expect(describeRequest(draft, 'Juno')).toBe(
    'Juno does this only when you approve it. This is exactly what will be sent:',
  )
  const ofOthers = { ...draft, untrusted: [{ kind: 'assistant' as const, names: ['Travel'] }] }
  expect(describeRequest(ofOthers, 'Juno')).not.toContain('in your name')
  expect(describeCall(draft)).toBe('Create a draft with Mail')
  expect(describeArguments(draft)).toBe('ann@example.org · Lunch · At noon?')
  // of another server that calls itself so
  expect(describeRequest({ ...draft, tool: 'gmail_send_email', integration: 'Gmail' }, 'Juno')).not.toContain(
    'in your name',
  )
})

it('a call of a schedule says why it asks though its tool may run without', () => {
  const untrusted = [{ kind: 'tool' as const, names: ['Mail'] }]
  expect(describeRequest(anApprovalRequest({ untrusted }), 'Juno')).toMatch(
    /^This run has read text that is not yours: .*Mail.*so Juno asks you\./,
  )
})

it('names a source of a kind that only a newer service knows', () => {
  const untrusted = [
    { kind: 'web', names: [] },
    { kind: 'calendar', names: ['Team'] },
  ] as unknown as ApprovalRequest['untrusted']
  expect(describeUntrusted({ untrusted })).toBe('web pages; other text that is not yours')
})
