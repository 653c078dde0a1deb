import type { CorpusPart, Hit } from './search-corpus.ts'

/** What the page and its search worker say to each other. */
export type ToWorker = { type: 'take'; part: CorpusPart } | { type: 'search'; number: number; query: string }
export interface FromWorker {
  /** of the question that this answers */
  number: number
  hits: Hit[]
}
