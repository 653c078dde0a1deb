import { publishedPicturePrefix } from '../files/file-links.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import type { AssistantHead } from './assistant-reader.ts'

type Version = Pick<AssistantHead, 'id' | 'version'>

/** Key of the picture of a version. */
export const publishedPictureKey = ({ id, version }: Version) => publishedPicturePrefix(id) + version

/** The picture that a version shows. @returns undefined for none, also where an earlier release has published without it since */
export const findPicture = ({ picture, version }: Pick<AssistantHead, 'picture' | 'version'>) =>
  picture?.version === version ? picture : undefined

/** A link to the picture of the newest version, for those who may see it. */
export async function createPictureLink(
  store: Pick<ObjectStore, 'signLink'>,
  head: AssistantHead,
): Promise<{ url: string } | undefined> {
  const picture = findPicture(head)
  if (!picture) return undefined
  return {
    url: await store.signLink(publishedPictureKey(head), { type: picture.type, disposition: 'inline' }),
  }
}
