import { createSearchIndex, type SearchableMessage } from '../../web/src/features/search/search-index.ts'
import { measureFileSearch } from './file-search.ts'
import { median, ms, p95, type Bench } from './figures.ts'

const counts = { sessions: 250, messages: 5_000 }
const vocabulary =
  'the a of and to in is you that it he was for on are as with his they at be this have from or one had by word but not what all were we when your can said there use an each which she do how their if will up other about out many then them these so some her would make like him into time has look two more write go see number no way could people my than first water been call who oil its now find long down day did get come made may part Rome Kraków Zürich déjà vu invoice contract meeting holiday Überblick'.split(
    ' ',
  )
/** Queries, typed letter by letter. */
const queries = [
  'rome',
  'contract meeting',
  'krakow',
  'uberblick',
  '"see number"',
  'zzz nothing has this',
  'e',
]

/** A text that depends on the seed alone. */
function makeText(seed: number): string {
  let state = seed + 1
  return Array.from({ length: 80 }, () => {
    state = (state * 48_271) % 2_147_483_647
    return vocabulary[state % vocabulary.length]
  }).join(' ')
}

export const searchBench: Bench = {
  name: 'search',
  title: 'Search over the user’s messages, and in files',
  async run() {
    const at = (index: number) => new Date(1_700_000_000_000 + index * 60_000).toISOString()
    const sessions = Array.from({ length: counts.sessions }, (_, index) => ({
      id: `s${index}`,
      title: makeText(index).slice(0, 50),
      updated_at: at(index),
    }))
    const messages = Array.from({ length: counts.messages }, (_, index): SearchableMessage => ({
      id: `m${index}`,
      session_id: `s${index % counts.sessions}`,
      content: makeText(index),
    }))
    const corpus = createSearchIndex()
    const ingestStartedAt = performance.now()
    corpus.ingest({ sessions, changed: sessions.map(({ id }) => id), messages })
    const ingestMs = performance.now() - ingestStartedAt
    const times: number[] = []
    for (let run = 0; run < 20; run += 1)
      for (const query of queries)
        for (let length = 1; length <= query.length; length += 1) {
          const startedAt = performance.now()
          corpus.search(query.slice(0, length), 30)
          if (run > 0) times.push(performance.now() - startedAt)
        }
    const characters = messages.reduce((sum, { content }) => sum + content.length, 0)
    return [
      {
        what: `A keystroke, over ${counts.messages.toLocaleString('en')} messages with ${(characters / 1e6).toFixed(1)} million characters in ${counts.sessions} conversations, p50 / p95 / most of ${times.length} searches`,
        measured: `${ms(median(times))} / ${ms(p95(times))} / ${ms(Math.max(...times))}`,
      },
      { what: 'Loading the messages into the worker, once', measured: ms(ingestMs) },
      ...(await measureFileSearch()),
    ]
  },
}
