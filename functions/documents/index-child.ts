import { buildIndex } from '../files/search-index/build-index.ts'
import { runForParent } from './parent-process.ts'

await runForParent(async (text: string, post) => {
  const { bytes, languages } = await buildIndex(text)
  await post({ bytes, languages })
})
