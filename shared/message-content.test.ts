import { expect, it } from 'vitest'
import { isRealContent } from '#shared/message-content.ts'

it.each([
  ['hello', true],
  ['', false],
  [' \n ', false],
  ['__ASSISTANT_note', false],
  ['a note on __ASSISTANT_', true],
  ['Generation stopped by user.', false],
  ['Generation stopped by user. And then?', true],
])('HIST-23 %j is real content: %s', (content, expected) => {
  expect(isRealContent(content)).toBe(expected)
})
