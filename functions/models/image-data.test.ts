import { expect, it } from 'vitest'
import { limitCpuTime } from '../../test/support/fuzz.ts'
import { readDataUrl, toDataUrl } from './image-data.ts'

it.each([
  ['data:image/png;base64,AA==', { type: 'image/png', base64: 'AA==' }],
  [' DATA:image/JPEG;charset=utf-8;base64,AA==', { type: 'image/jpeg', base64: 'AA==' }],
  ['data:image/png,AA==', undefined],
  ['data:text/html;base64,AA==', undefined],
  ['AA==', undefined],
  ['', undefined],
])('%j is the picture %o', (text, image) => {
  expect(readDataUrl(text)).toEqual(image)
})

it('a data URL keeps its type, and base64 alone gets one', () => {
  expect(toDataUrl('data:image/webp;base64,AA==', 'image/png')).toBe('data:image/webp;base64,AA==')
  expect(toDataUrl('AA==', 'image/png')).toBe('data:image/png;base64,AA==')
})

it('takes no longer for a long text', () => {
  for (const text of [' ', 'data:image/', 'data:image/png;', ';a'])
    expect(() => limitCpuTime(() => readDataUrl(`data:image/png${text.repeat(100_000)}`), 500)).not.toThrow()
})
