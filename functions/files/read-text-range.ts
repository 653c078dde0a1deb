import type { ObjectStore } from '../platform/s3/object-store.ts'
import { textKey } from './file-links.ts'
import type { StoredText } from './stored-text.ts'

/**
 * Reads characters of a stored text.
 * @param from the first character
 * @param to behind the last one; the text may end before
 * @returns undefined if the text is not stored any more @throws ObjectStoreUnavailable
 */
export async function readTextRange(
  store: ObjectStore,
  sub: string,
  { id, text }: { id: string; text: StoredText },
  { from, to }: { from: number; to: number },
): Promise<string | undefined> {
  const last = Math.min(to, text.characters)
  if (from >= last) return ''
  const first = text.parts.findLast(([characters]) => characters <= from) ?? [0, 0]
  const next = text.parts.find(([characters]) => characters >= last)
  const read = await store.readRange(textKey(sub, id), first[1], next?.[1] ?? text.bytes)
  if (!read) return undefined
  const part = new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.bytes)
  return part.slice(from - first[0], last - first[0])
}
