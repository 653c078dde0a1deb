import { expect, it } from 'vitest'
import { describeReading } from './describe-reading.ts'

it('a document that is being read says so, and another kind of file nothing', () => {
  expect(describeReading({ reading: { state: 'pending' } })).toBe('is being read')
  expect(describeReading({})).toBeUndefined()
})

it('a note is shown as the service wrote it, if the page has no translations', () => {
  const reading = { state: 'read' as const, note: 'read in full', codes: [{ code: 'read_in_full' }] }
  expect(describeReading({ reading })).toBe('read in full')
})
