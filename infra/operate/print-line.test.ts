import { expect, it, vi } from 'vitest'
import { printLine } from './print-line.ts'

it.each([
  ['Ann\tann@example.org\nBob', 'Ann\tann@example.org\nBob'],
  ['\u001b[2J\u009b2J\u0000\r', '\ufffd[2J\ufffd2J\ufffd\ufffd'],
  ['a\u202eb\u2028', 'a\ufffdb\ufffd'],
])('prints %j as %j', (text, printed) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  printLine(text)
  expect(write.mock.calls).toEqual([[`${printed}\n`]])
  write.mockRestore()
})
