import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { indexKey, textKey } from '../file-links.ts'
import { listLanguages } from './index-format.ts'
import type { QueryVectors } from './rank-vectors.ts'
import { FileIndexReader, IndexReplaced } from './read-index.ts'
import { loadStemmers } from './stemmers.ts'
import type { OpenFile, SearchableFile } from './index-blocks.ts'
import { mapAtOnce } from './map-at-once.ts'
import { Search, findFile, parseWording, takeBest } from './rank-passages.ts'

/** A part of a file that a search found. */
export interface FoundPassage {
  id: string
  name: string
  /** its first character in the text of the file, and the one after its last */
  from: number
  to: number
  /** `page 17`; absent in a document without places */
  place?: string
  text: string
}

export interface SearchResult {
  /** best first */
  passages: FoundPassage[]
  /** the files whose text was searched, each with the characters that were */
  searched: { name: string; characters: number }[]
  /** ISO 639-1 codes of the languages in which the files are written */
  languages: string[]
  /** what the files seem to be about; only if nothing was found */
  headings?: { name: string; headings: string[] }[]
  /** files that could not be searched */
  not_searched?: NotSearched[]
}

/** A file that was not searched, or in part only. */
export interface NotSearched {
  name: string
  why: Sentence
}

const openMs = 5_000
/** How much less the next place of a ranking counts. */
const rankOffset = 0.5

/**
 * Searches the stored indexes of files. Time and memory depend on the wordings, not on the size of the files.
 * @param wordings the same question in several words or languages; their rankings are joined by reciprocal rank
 * @param query their vectors, if there is a model for them: files that have vectors of it are ranked by their meaning, too
 * @throws ObjectStoreUnavailable
 */
export async function searchFiles(
  store: ObjectStore,
  sub: string,
  files: readonly SearchableFile[],
  {
    wordings,
    limit,
    query,
  }: { wordings: readonly string[]; limit: number; query?: QueryVectors | undefined },
): Promise<SearchResult> {
  const { open, notSearched } = await openFiles(store, sub, files)
  const languages = countLanguages(open)
  const stemmers = [...(await loadStemmers(languages)).values()]
  const search = new Search(open)
  const scores = new Map<number, number>()
  const byWords = await search.rank(wordings.map((wording) => parseWording(wording, stemmers)))
  const byMeaning = query ? await search.rankByMeaning(store, sub, query) : []
  for (const ranking of [...byWords, ...byMeaning])
    for (const [rank, passage] of ranking.entries())
      scores.set(passage, (scores.get(passage) ?? 0) + 1 / (rankOffset + rank))
  const best = takeBest(scores, limit)
  const passages = await readPassages(store, sub, open, best)
  return {
    passages,
    searched: open.map(({ name, reader }) => ({ name, characters: reader.head.characters })),
    languages,
    ...(passages.length === 0 && {
      headings: open.map(({ name, reader }) => ({ name, headings: reader.head.headings })),
    }),
    ...(notSearched.length > 0 && { not_searched: notSearched }),
  }
}

async function openFiles(store: ObjectStore, sub: string, files: readonly SearchableFile[]) {
  const open: OpenFile[] = []
  const notSearched: NotSearched[] = []
  const timeout = AbortSignal.timeout(openMs)
  let first = 0
  const opened = await mapAtOnce(files, async ({ id }) => {
    if (timeout.aborted) return sayOwnTool('not_searched.late')
    try {
      const reader = await FileIndexReader.open(store, indexKey(sub, id))
      return reader ? { reader, passages: await reader.passages() } : sayOwnTool('not_searched.no_index')
    } catch (error) {
      if (error instanceof IndexReplaced) return sayOwnTool('not_searched.no_index')
      throw error
    }
  })
  for (const [index, file] of files.entries()) {
    const result = opened[index] ?? sayOwnTool('not_searched.late')
    if ('code' in result) notSearched.push({ name: file.name, why: result })
    else {
      open.push({ ...file, ...result, first })
      first += result.reader.head.passages
    }
  }
  return { open, notSearched }
}

const maxLanguages = 8

function countLanguages(open: readonly OpenFile[]): string[] {
  const counts = new Map<string, number>()
  for (const { reader } of open)
    for (const [language, passages] of listLanguages(reader.head))
      counts.set(language, (counts.get(language) ?? 0) + passages)
  return [...counts]
    .toSorted(([, x], [, y]) => y - x)
    .slice(0, maxLanguages)
    .map(([language]) => language)
}

async function readPassages(
  store: ObjectStore,
  sub: string,
  files: readonly OpenFile[],
  found: readonly number[],
): Promise<FoundPassage[]> {
  const read = await mapAtOnce(found, async (number): Promise<FoundPassage[]> => {
    const file = findFile(files, number)
    if (!file) return []
    const { id, name, passages, reader } = file
    const passage = number - file.first
    const [from, to] = [passages.characters[passage] ?? 0, passages.characters[passage + 1] ?? 0]
    const range = [passages.bytes[passage] ?? 0, passages.bytes[passage + 1] ?? 0] as const
    const part = await store.readRange(textKey(sub, id), ...range)
    const place = reader.head.places?.findLast(([first]) => first <= passage)?.[1]
    return part
      ? [
          {
            id,
            name,
            from,
            to,
            ...(place !== undefined && { place }),
            text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(part.bytes),
          },
        ]
      : []
  })
  return read.flat()
}
