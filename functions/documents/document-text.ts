import type { ObjectStore } from '../platform/s3/object-store.ts'
import { textKey } from '../files/file-links.ts'

/** Loads the whole text that an analysis extracted. @returns undefined if there is none @throws ObjectStoreUnavailable */
export async function readDocumentText(
  store: ObjectStore,
  sub: string,
  id: string,
): Promise<string | undefined> {
  const bytes = await store.read(textKey(sub, id))
  return bytes && new TextDecoder().decode(bytes)
}
