import { expect, it } from 'vitest'
import { trimMessage } from './trim-message.ts'

// https://github.com/github/copilot-cli/issues/4136
it.each([
  ['  hello \n', 'hello'],
  ['    if x:\n        y()\n', '    if x:\n        y()'],
  ['\n \t\n\t- a\n\t- b', '\t- a\n\t- b'],
  ['\r\n  a\r\nb\r\n', '  a\r\nb'],
  ['a\n\n  b', 'a\n\n  b'],
  [' \n \n', ''],
  ['', ''],
])('%j is sent as %j', (text, sent) => expect(trimMessage(text)).toBe(sent))
