import { expect, it } from 'vitest'
import { findToolMessageFault } from '../support/model-server/tool-messages.ts'

const calls = (...ids: string[]) => ({ role: 'assistant', tool_calls: ids.map((id) => ({ id })) })
const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id })
const user = { role: 'user' }

it.each([
  ['a conversation without tools', [user, { role: 'assistant' }, user], undefined],
  ['calls with their results', [user, calls('a', 'b'), result('b'), result('a'), user], undefined],
  ['a call without a result', [user, calls('a', 'b'), result('a'), user], /did not have .*: b$/],
  ['a call at the end', [user, calls('a')], /did not have .*: a$/],
  ['a result without a call', [user, result('a')], /must be a response to a preceeding message/],
  ['a result twice', [user, calls('a'), result('a'), result('a')], /must be a response/],
  ['a result that comes late', [user, calls('a'), user, result('a')], /did not have .*: a$/],
])('%s', (_, messages, fault) => {
  expect(findToolMessageFault(messages) ?? '').toMatch(fault ?? /^$/)
})
