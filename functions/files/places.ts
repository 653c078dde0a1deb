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
