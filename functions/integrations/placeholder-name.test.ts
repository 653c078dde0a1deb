import { expect, it } from 'vitest'
import { isPlaceholderName } from './placeholder-name.ts'

it.each(['Test Server', 'fake-gmail', 'my_test', 'TEST', 'a (fake)', 'test'])(
  'DEC-001 INT-61 %s is a placeholder',
  (name) => {
    expect(isPlaceholderName(name)).toBe(true)
  },
)

it.each(['Latest News', 'Contest', 'Attest', 'Testing', 'fakes', 'test1', 'étest', 'Gmail', ''])(
  'DEC-001 INT-63 %s is not a placeholder',
  (name) => {
    expect(isPlaceholderName(name)).toBe(false)
  },
)
