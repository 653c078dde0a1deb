import type { RequestMessage } from './model-request.ts'
import { tablesPart } from './table-query.ts'
import { excerpt, stem, topicWords, splitWords } from './words.ts'

/** A file that a message carries, as the product shows it to a model. */
interface AttachedFile {
  id: string
  name: string
  note: string
  /** what the product says of its tables, which is no text of the file */
  tables: string
  text: string
}

const blocks = /<attachment ([^>]*?)(?:\/>|>\n([\s\S]*?)\n<\/attachment>)/g

const parseAttribute = (attributes: string, name: string) =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''

/** The files in a message's text, in their order. */
export function parseAttachments(text: string): AttachedFile[] {
  return [...text.matchAll(blocks)].map(([, attributes = '', content = '']) => {
    const tables = tablesPart.exec(content)?.[0] ?? ''
    return {
      id: parseAttribute(attributes, 'id'),
      name: parseAttribute(attributes, 'name'),
      note: parseAttribute(attributes, 'note'),
      tables,
      text: content.slice(tables.length),
    }
  })
}

/** What the product adds to a message: the day, memories. */
const notes = /<notes>\n[^]*?\n<\/notes>/g

/** What the user wrote, without files and notes. */
export const removeAttachments = (text: string) => text.replace(blocks, '').replace(notes, '').trim()

/** A message of the product that has only the files of a project or an assistant. */
const filesOnly = /^The files of the (?:project|assistant):$/
export const hasFilesOnly = (text: string) => filesOnly.test(removeAttachments(text))

const minSharedWords = 2
const shownPassages = 3

/** How many of the words a text has. */
const countShared = (topics: ReadonlySet<string>, text: string) =>
  new Set(
    splitWords(text)
      .map(stem)
      .filter((word) => topics.has(word)),
  ).size

/** The passages that share most words with the question, in document order; empty when none shares a word. */
function findPassages(topics: ReadonlySet<string>, files: readonly AttachedFile[]) {
  return files
    .flatMap(({ name, text }) =>
      text.split(/\n+|(?<=[.!?])\s+/).map((passage) => ({ name, passage: passage.trim() })),
    )
    .filter(({ passage }) => passage !== '')
    .map((one) => ({
      ...one,
      score: countShared(topics, one.passage),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
}

function overview({ name, note, text }: AttachedFile): string {
  const words = splitWords(text).length
  return `**${name}** (${note}) has ${words.toLocaleString('en')} words here. It begins:\n\n> ${excerpt(text, 400)}`
}

/**
 * Answers from the files of the conversation: passages that fit the question, or what the new files are. Undefined when no file
 * fits.
 */
export function attachmentReply(messages: readonly RequestMessage[]): string | undefined {
  const userMessages = messages.filter(({ role }) => role === 'user')
  const last = userMessages.at(-1)
  if (!last) return undefined
  const topics = new Set(topicWords(removeAttachments(last.text)).map(stem))
  const newFiles = parseAttachments(last.text)
  const readable = userMessages
    .flatMap(({ text }) => parseAttachments(text))
    .filter(({ text }) => text.trim() !== '')
  const wanted = Math.min(minSharedWords, topics.size)
  // a one-word question can share only one word; for a longer question one shared word is not enough, but the others may stand elsewhere
  // in the same file
  const found = findPassages(
    topics,
    newFiles.length > 0 ? readable : readable.filter(({ text }) => countShared(topics, text) >= wanted),
  )
  const best = found[0]
  if (best) {
    const shown = found.filter(({ score }) => score === best.score).slice(0, shownPassages)
    const quotes = shown.map(({ passage }) => `> ${excerpt(passage, 400)}`).join('\n>\n')
    return `In **${best.name}** it says:\n\n${quotes}`
  }
  if (newFiles.length === 0) return undefined
  const sections = newFiles.map((one) => (one.text === '' ? `**${one.name}**: ${one.note}.` : overview(one)))
  const images = last.images.map(
    ({ type, bytes }) =>
      `I was shown an image (${type}, ${Math.ceil(bytes / 1024)} KB). As a demo I see that it is there, not what is on it.`,
  )
  return [...sections, ...images].join('\n\n')
}
