import { expect, it } from 'vitest'
import { countsAsMessage } from '#shared/message-content.ts'

it.each([
  ['hello', true],
  ['', false],
  [' \n ', false],
  ['__ASSISTANT_note', false],
  ['a note on __ASSISTANT_', true],
  ['Generation stopped by user.', false],
  ['Generation stopped by user. And then?', true],
])('HIST-23 %j counts as a message: %s', (content, expected) => {
  expect(countsAsMessage(content)).toBe(expected)
})
