import MiniSearch from 'minisearch'
import type { Attachment } from '#shared/contracts/files.ts'
import { textKey } from '../../files/file-links.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'

/** A part of a file that a search found. */
export interface FoundPassage {
  id: string
  name: string
  /** its first character in the text of the file, and the one after its last */
  from: number
  to: number
  text: string
}

interface IndexedPassage {
  id: number
  passage: FoundPassage
}

export interface FileIndex {
  search: (query: string) => { passages: FoundPassage[]; not_searched?: readonly string[] }
}

/** Characters of a passage at most: about a page. */
const passageCharacters = 1_500
const maxPassages = 6
/** What is searched of one file, and of all: more would take the function longer than a reader waits. */
const maxFileBytes = 4 * 1024 * 1024
const maxCharacters = 3_000_000
const readsAtOnce = 6

/** Splits a text after a line, or after a word, so that each part has at most `passageCharacters`. */
export function splitPassages(text: string): { from: number; text: string }[] {
  const passages = []
  for (let from = 0; from < text.length;) {
    const rest = text.slice(from, from + passageCharacters)
    const half = passageCharacters / 2
    const breaks = [rest.lastIndexOf('\n\n') + 2, rest.lastIndexOf('\n') + 1, rest.lastIndexOf(' ') + 1]
    const length =
      from + rest.length === text.length ? rest.length : (breaks.find((at) => at > half) ?? rest.length)
    passages.push({ from, text: rest.slice(0, length) })
    from += length
  }
  return passages
}

/** Scripts that write words without spaces. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Words in lower case without accents; of scripts without spaces, each pair of letters. */
export function tokenize(text: string): string[] {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return words.flatMap((word) => {
    if (!unspaced.test(word)) return word
    const letters = Array.from(word)
    return letters.length === 1
      ? letters
      : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
  })
}

/**
 * Reads the texts of files and indexes their passages, in memory.
 * @throws ObjectStoreUnavailable
 */
export async function openFileIndex(
  store: ObjectStore,
  sub: string,
  files: readonly Attachment[],
): Promise<FileIndex> {
  const index = new MiniSearch<IndexedPassage>({
    fields: ['text', 'name'],
    storeFields: ['passage'],
    extractField: (document, field) =>
      field === 'text' || field === 'name' ? document.passage[field] : document[field as 'id'],
    tokenize,
    processTerm: (term) => term,
    searchOptions: {
      boost: { name: 0.5 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      // more would compare a long word with nearly every word of the files, for seconds
      maxFuzzy: 2,
    },
  })
  const documents = files.filter(({ reading }) => reading !== undefined && reading.status !== 'failed')
  const notSearched: string[] = []
  let charactersLeft = maxCharacters
  let key = 0
  for (let at = 0; at < documents.length; at += readsAtOnce) {
    const batch = documents.slice(at, at + readsAtOnce)
    const contents = await Promise.all(
      batch.map(({ id }) => store.readBeginning(textKey(sub, id), maxFileBytes)),
    )
    for (const [position, { id, name }] of batch.entries()) {
      const bytes = contents[position]?.bytes
      const text = bytes && new TextDecoder().decode(bytes)
      if (text === undefined || text.length > charactersLeft) {
        notSearched.push(name)
        continue
      }
      if (bytes && bytes.length >= maxFileBytes) notSearched.push(`the end of ${name}`)
      charactersLeft -= text.length
      const passages = splitPassages(text).map(({ from, text: part }) => ({
        id: (key += 1),
        passage: { id, name, from, to: from + part.length, text: part },
      }))
      // in steps, so that the run's heartbeat is not late
      await index.addAllAsync(passages, { chunkSize: 200 })
    }
  }
  return {
    search: (query) => ({
      passages: index
        .search(query)
        .slice(0, maxPassages)
        .map(({ passage }) => passage as FoundPassage),
      ...(notSearched.length > 0 && { not_searched: notSearched }),
    }),
  }
}
