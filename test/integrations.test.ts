import { expect, it } from 'vitest'
import { buildLists, countInReadme, listMissingFiles, listUnknownLogos, readList } from './integrations.ts'

it('CAP-01 the folder of every integration is whole and listed: `npm run integrations` writes the lists', () => {
  expect(listMissingFiles()).toEqual([])
  expect(listUnknownLogos()).toEqual([])
  for (const [name, text] of Object.entries(buildLists())) expect(readList(name)).toBe(text)
  const { written, generated } = countInReadme()
  expect(written).toBe(generated)
})
