import { buildIndex } from '../files/search-index/build-index.ts'
import { runForParent } from './parent-process.ts'

// Runs in its own process: it takes about a second for a million characters, and no text ends the server.

await runForParent(async (text: string, post) => {
  const { bytes, languages } = await buildIndex(text)
  await post({ bytes, languages })
})
