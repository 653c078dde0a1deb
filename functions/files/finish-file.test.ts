import { globSync, readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { aReadDocument } from '../../test/support/read-documents.ts'
import { finishFile } from './finish-file.ts'

it.each([
  ['a document', aReadDocument('f', 'Text'), [['ann', ['f']]]],
  ['an image', { ...aReadDocument('f', ''), name: 'a.png', type: 'image/png' }, []],
])('has %s read as soon as messages may use it', async (_, file, expected) => {
  const order: string[] = []
  const files = { markReady: async () => void order.push('ready') }
  const startReading = vi.fn<(sub: string, ids: readonly string[]) => Promise<void>>(
    async () => void order.push('reading'),
  )
  await finishFile({ files, startReading }, 'ann', file)
  expect(startReading.mock.calls).toEqual(expected)
  expect(order[0]).toBe('ready')
})

it('is the only door: nothing else makes a stored object a file', () => {
  const callers = globSync('functions/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && /\.markReady\(/.test(readFileSync(file, 'utf8')),
  )
  expect(callers).toEqual(['functions/files/finish-file.ts'])
})
