import { expect, it } from 'vitest'
import { parseInSteps } from './incremental-document.ts'

it.each(['\r\n', '\r'])('a long text whose lines end in %j is parsed to its end', (lineEnd) => {
  const document = parseInSteps(`a${lineEnd}${lineEnd}`.repeat(1_000))
  expect(document.text).toBe('a\n\n'.repeat(1_000))
  expect(document.blocks).toHaveLength(1_000)
})
