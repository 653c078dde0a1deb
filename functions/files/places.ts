import type { ObjectStore } from '../platform/s3/object-store.ts'
import { readTextRange } from './read-text-range.ts'
import { listMarks, maxLabelCharacters } from './place-marks.ts'
import type { StoredText } from './stored-text.ts'

interface DocumentText {
  id: string
  text: StoredText
}

/** The place of the first character of a range; undefined for a document without places, and before the first one. */
export async function readPlace(
  store: ObjectStore,
  sub: string,
  file: DocumentText,
  from: number,
): Promise<string | undefined> {
  const { parts, places } = file.text
  if (!places) return undefined
  const part = Math.max(
    0,
    parts.findLastIndex(([characters]) => characters <= from),
  )
  // a mark may begin at the character itself
  const [start] = parts[part] ?? [0]
  const text = await readTextRange(store, sub, file, { from: start, to: from + maxLabelCharacters + 10 })
  return listMarks(text ?? '').findLast(({ at }) => start + at <= from)?.place ?? (places[part] || undefined)
}

/** Characters that are read at a time to find a place. */
const stepCharacters = 1_048_576

/**
 * Reads the text of one place.
 * @param wanted a place; by default the first, or the whole of a document without places
 * @returns undefined if the text is not stored any more, or there is no such place @throws ObjectStoreUnavailable
 */
export async function readTextOfPlace(
  store: ObjectStore,
  sub: string,
  file: DocumentText,
  wanted: string | undefined,
): Promise<{ place?: string; places: string[]; text: string } | undefined> {
  const { characters } = file.text
  const texts: string[] = []
  for (let from = 0; from < characters; from += stepCharacters) {
    const text = await readTextRange(store, sub, file, { from, to: from + stepCharacters })
    if (text === undefined) return undefined
    texts.push(text)
  }
  const whole = texts.join('')
  const found = file.text.places ? listMarks(whole) : []
  const places = found.map(({ place }) => place)
  if (found.length === 0) return wanted === undefined ? { places, text: whole } : undefined
  const index = wanted === undefined ? 0 : places.indexOf(wanted)
  const place = places[index]
  if (place === undefined) return undefined
  const from = (found[index]?.at ?? 0) + place.length + '[]\n'.length
  return { place, places, text: whole.slice(from, found[index + 1]?.at).trimEnd() }
}
