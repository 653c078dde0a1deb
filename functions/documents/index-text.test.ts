import { expect, it } from 'vitest'
import { buildIndex } from '../files/search-index/build-index.ts'
import { indexText } from './index-text.ts'

process.env['LOG_LEVEL'] = 'silent'

it('a text is indexed in a process of its own, and not at all beyond its time', async () => {
  const { bytes, languages } = await buildIndex('Die Kündigungsfrist beträgt drei Monate.')
  expect(await indexText('Die Kündigungsfrist beträgt drei Monate.')).toEqual({ bytes, languages })
  expect(await indexText('deposit '.repeat(200_000), 30)).toBeUndefined()
})
