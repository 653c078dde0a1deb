import type { Source } from '#shared/contracts/chat.ts'
import { maxTitleCharacters } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { FileReference } from './build-conversation.ts'

/** The service takes URLs with up to 2,000 characters. */
const httpUrl = /^https?:\/\/[^\s<>"]{1,1990}$/i

/** A page that a message cites; undefined if its URL is not one of HTTP, or has blanks, quotes, angle brackets or too many characters. */
export function toSource(url: string, title: string): Source | undefined {
  if (!httpUrl.test(url) || !URL.canParse(url)) return undefined
  const line = truncate(title.replace(/\s+/g, ' ').trim(), maxTitleCharacters)
  return { url, ...(line !== '' && { title: line }) }
}

/** A longer name would interrupt the text in which the link stands. */
const maxLinkNameCharacters = 80

/** A link in Markdown, named as the page or by its site. It has no marks of Markdown, such as `|`, which would end a cell of a table. */
export function formatLink({ url, title }: Source): string {
  const name = truncate(
    (title ?? new URL(url).host).replace(/[[\]\\`*_~|<>\s]+/g, ' ').trim(),
    maxLinkNameCharacters,
  )
  const address = url.replace(/[()|]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `[${name || new URL(url).host}](${address})`
}

/** A citation in a text shows at most so many links: more would hide the text. All pages are sources of the message. */
const maxLinks = 5

/**
 * Formats the links of a citation, in parentheses; empty if it has no sources.
 * @param before the character before the citation; a space is set unless it is one
 */
export const formatLinks = (sources: readonly Source[], before = ''): string =>
  sources.length === 0
    ? ''
    : `${/\s/.test(before) ? '' : ' '}(${sources.slice(0, maxLinks).map(formatLink).join(', ')})`

/** A link to a file in the sandbox where the assistant's programs run; the name of the file follows the last slash. */
const fileLink = /!?\[([^[\]\n]{0,300})\]\((?:sandbox|computer|file):([^()\s]{1,300})\)/g

/**
 * Turns links to files of the assistant's sandbox, which lead nowhere, into the files' names.
 * @param isKnown whether the conversation has the file as a document
 */
export function readFileLinks(text: string, isKnown: (fileName: string) => boolean) {
  const files: FileReference[] = []
  const visibleText = text.replace(fileLink, (_, label: string, path: string) => {
    const name = decodeName(path.slice(path.lastIndexOf('/') + 1))
    if (name !== '' && !isKnown(name)) files.push({ id: name, name, isLinked: true })
    return label === '' || label.includes(name) ? label || name : `${label} (${name})`
  })
  return { text: visibleText, files }
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
