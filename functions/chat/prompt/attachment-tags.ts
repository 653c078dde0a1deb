import type { Attachment } from '#shared/contracts/files.ts'
import type { StoredFile } from '../../files/file-row.ts'

// The tags in which a prompt gives files.

const formatSize = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
/** Names and types are user input: they must not close the tag. */
const toAttribute = (text: string) => text.replace(/["<>&\s]+/g, ' ').trim()
/** A document's text must not close its own tag. */
const escapeTags = (text: string) => text.replace(/<(?=\/?attachment)/gi, '< ')

type TaggedFile = Pick<Attachment, 'id' | 'name' | 'type' | 'size'> &
  Partial<Pick<StoredFile, 'created_at' | 'text'>>

/** The tag of a file, without what closes it: its name, when it was added and what is said about it. */
export function openTag(file: TaggedFile, note: string): string {
  const { id, name, type, size, created_at: addedAt = '', text: stored } = file
  const attributes = {
    id,
    name,
    type,
    size: formatSize(size),
    // two files of one name differ by it
    ...(addedAt !== '' && { added: `${addedAt.slice(0, 16).replace('T', ' ')} UTC` }),
    ...(stored && stored.languages.length > 0 && { languages: stored.languages.slice(0, 3).join(' ') }),
    note,
  }
  return `<attachment ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${toAttribute(value)}"`)
    .join(' ')}`
}

/** Ends an opened tag: with the escaped text in it, or as an empty element. @param tag what `openTag` returned */
export const closeTag = (tag: string, text = ''): string =>
  text === '' ? `${tag}/>` : `${tag}>\n${escapeTags(text)}\n</attachment>`

/** A file as the model sees it: its tag, and its text if it has any. */
export const renderTag = (file: TaggedFile, note: string, text = ''): string =>
  closeTag(openTag(file, note), text)

/** The parts of a tag's content. */
export const joinParts = (parts: readonly (string | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n')
