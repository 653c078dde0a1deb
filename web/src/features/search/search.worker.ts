import { createCorpus } from './search-index.ts'
import type { FromWorker, ToWorker } from './search-service.ts'

/** Beside the page, so that typing never waits for a search. */
const corpus = createCorpus()

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'take') return corpus.take(data.part)
  const answer: FromWorker = { number: data.number, hits: corpus.search(data.query) }
  postMessage(answer)
})
