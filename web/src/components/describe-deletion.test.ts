import { expect, it } from 'vitest'
import { describeBackups } from './describe-deletion.ts'

it('says of which backups the service knows nothing', () => {
  const text = describeBackups('2027-01-04T00:00:00.000Z')
  expect(text).toContain('January 4, 2027')
  // an operator can make backups with files elsewhere
  expect(text).not.toMatch(/have no backup/)
  expect(text).toMatch(/Backups that the operator may have made elsewhere stay as they are/)
})
