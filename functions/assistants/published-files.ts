import { originalKey, publishedPrefix, userPrefix, type MessageFileDeps } from '../files/file-links.ts'
import type { StoredFile } from '../files/file-row.ts'
import { readerVersion } from '../files/stored-text.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import type { AssistantHead, PublishedFile } from './assistant-reader.ts'

interface PublishedVersion extends Pick<AssistantHead, 'id' | 'publisher'> {
  version: number
}

/** Key of an object of a version: what was made of one of its files. */
export const publishedKey = ({ publisher, id, version }: PublishedVersion, n: number, object: string) =>
  `${publishedPrefix(publisher)}${id}/${version}/${n}/${object}`

/** The name of an object of a file: its key without the file's folder. */
export const toObjectName = (sub: string, id: string, key: string) =>
  key.slice(originalKey(sub, id).length - 'original'.length)

const fileIdPrefix = 'assistant-'

/** The id of a file in prompts and calls: it tells nothing of the publisher's file. */
const toFileId = (version: number, n: number) => `${fileIdPrefix}${version}-${n}`

/**
 * The files of a reply together with those of a version of an assistant, which stand beside the user's own under ids of their own. Only this
 * reply can read them.
 */
export function addPublishedFiles<Deps extends MessageFileDeps>(
  deps: Deps,
  sub: string,
  version: PublishedVersion,
  files: readonly PublishedFile[],
): { deps: Deps; ids: string[] } {
  const published = new Map(
    files.map((file): [string, StoredFile & { n: number }] => {
      const { objects: _, ...fields } = file
      const id = toFileId(version.version, file.n)
      // as it was read then: nobody reads it again
      return [id, { ...fields, id, state: 'ready', reader_version: readerVersion }]
    }),
  )
  const own = userPrefix(sub)
  /** where an object is that the code of replies looks for among the user's */
  function translate(key: string): string {
    const [id = '', object = ''] = key.startsWith(own) ? key.slice(own.length).split('/', 2) : []
    const file = published.get(id)
    return file ? publishedKey(version, file.n, object) : key
  }
  const store: ObjectStore = {
    ...deps.store,
    read: (key) => deps.store.read(translate(key)),
    readBeginning: (key, bytes) => deps.store.readBeginning(translate(key), bytes),
    readRange: (key, from, to, etag) => deps.store.readRange(translate(key), from, to, etag),
    signUrl: (key, seconds) => deps.store.signUrl(translate(key), seconds),
  }
  const { files: repository } = deps
  return {
    ids: [...published.keys()],
    deps: {
      ...deps,
      store,
      files: {
        ...repository,
        find: async (owner: string, id: string) => published.get(id) ?? repository.find(owner, id),
        async findMany(owner: string, ids: readonly string[]) {
          const rest = ids.filter((id) => !published.has(id))
          const found: Map<string, StoredFile> =
            rest.length > 0 ? await repository.findMany(owner, rest) : new Map()
          for (const id of ids) {
            const file = published.get(id)
            if (file) found.set(id, file)
          }
          return found
        },
      },
    },
  }
}

/** Whether a file belongs to an assistant: nobody can open it, or query its tables again. */
export const isPublishedFile = (id: string): boolean => id.startsWith(fileIdPrefix)
