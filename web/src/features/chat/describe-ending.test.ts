import { expect, it } from 'vitest'
import { describeEnding } from './describe-ending.ts'

it('says in general words that a reply is unfinished for a reason that only a newer server knows', () => {
  const newer = 'moderated' as never
  expect(describeEnding({ ended: newer })).toBe('This reply is not complete.')
  expect(describeEnding({ ended: 'incomplete', incomplete_reason: newer })).toBe(
    'This reply is not complete.',
  )
})
