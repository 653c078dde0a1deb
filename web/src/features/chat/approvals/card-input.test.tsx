import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { tabPrefix, writeInput } from '../../../lib/input/inputs.ts'
import { useCardInput } from './card-input.ts'

it('ignores what a release with other fields has stored, in each field', () => {
  const request = anApprovalRequest()
  const stored = { to: 'ada@example.org', subject: 'Hi' }
  writeInput(`${tabPrefix}s1 ${request.call_id} ${request.asked_at}`, {
    value: { to: 'ben@example.org' },
    base: { to: 'ada@example.org' },
  })
  const { result } = renderHook(() => useCardInput(fakeConversation(), request, stored), {
    wrapper: PageProviders,
  })
  expect(result.current.value).toEqual(stored)
  expect([result.current.at('to').value, result.current.at('subject').value]).toEqual(Object.values(stored))
  act(() => result.current.at('subject').change('Hello'))
  expect(result.current.value).toEqual({ ...stored, subject: 'Hello' })
})
