import { expect, it } from 'vitest'
import { buildToolName } from './tool-name.ts'

it('CAP-01 a tool’s name is valid for models, stable, and different for each tool', () => {
  expect(buildToolName('gmail', 'send_email')).toBe('gmail_send_email')
  const oddNames = [
    '',
    ' ',
    'do it',
    'do-it!',
    'do it!',
    'löschen',
    '💥',
    '漢字',
    'a/b',
    'a.b',
    'x'.repeat(200),
    `${'x'.repeat(199)}y`,
    '__proto__',
  ]
  const names = ['custom-1', 'custom-2'].flatMap((prefix) =>
    oddNames.map((tool) => buildToolName(prefix, tool)),
  )
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  expect(new Set(names).size).toBe(names.length)
  expect(oddNames.map((tool) => buildToolName('custom-1', tool))).toEqual(names.slice(0, oddNames.length))
})

it('a tool’s name is unchanged if nothing had to be cut or replaced', () => {
  expect(buildToolName('a', 'b'.repeat(62))).toBe(`a_${'b'.repeat(62)}`)
  expect(buildToolName('a', 'b'.repeat(63))).toMatch(/^a_b{53}_[0-9a-f]{8}$/)
  expect(buildToolName('my server', 'read')).toBe('my_server_read')
  expect(buildToolName('', 'read')).toBe('read')
  expect(buildToolName('a', '')).toMatch(/^a_[0-9a-f]{8}$/)
  expect(buildToolName('a', '_x_')).toMatch(/^a_x_[0-9a-f]{8}$/)
  expect(buildToolName('a', 'x  y')).toMatch(/^a_x_y_[0-9a-f]{8}$/)
})
