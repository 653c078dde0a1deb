import { expect, it } from 'vitest'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { describeUntrusted } from './request-details.tsx'

it('names a source of a kind that only a newer service knows', () => {
  const untrusted = [
    { kind: 'web', names: [] },
    { kind: 'calendar', names: ['Team'] },
  ] as unknown as ApprovalRequest['untrusted']
  expect(describeUntrusted({ untrusted })).toBe('web pages; other text that is not yours')
})
