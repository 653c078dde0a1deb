import { plural } from '../../lib/plural.ts'

// import-card
export const importConversations = 'Import conversations'
export const importHint =
  'Bring your history from ChatGPT or Claude: choose the zip file that you get there with “Export data”, or the conversations.json in it.'
export const chooseFile = 'Choose file'
export const exportFile = 'Export of ChatGPT or Claude'
export const dropHint = 'or drop it here'
export const progress = 'Progress of the import'
export const waiting = 'Waiting for the service. The import continues by itself.'
export const keepOpen = 'Keep this tab open. You can go on using it.'
export const cancelled = 'The import was cancelled.'
export const stopped = 'The import stopped.'
export const done = 'Import finished'
export const leftOut = 'Left out'
export const importAnother = 'Import another file'
export const undoImport = 'Undo import'
export const undoing = 'Undoing…'
export const undone = 'Import undone'
export const undoFailed = 'The import could not be undone completely'
export const undoTitle = 'Undo this import?'
export const undoHint = (conversations: number) =>
  `${conversationCount(conversations)} will be deleted, with their files and with what you added to them since.`
export const earlierImports = 'Imports'
export const undoLabel = (description: string) => `Undo import: ${description}`
export const importDetails = (source: 'chatgpt' | 'claude', date: string, conversations: number) =>
  `${{ chatgpt: 'ChatGPT', claude: 'Claude' }[source]}, ${date}: ${conversationCount(conversations)}`

const conversationCount = (count: number) =>
  plural(count, { one: '1 conversation', other: `${count.toLocaleString()} conversations` })
const messageCount = (count: number) =>
  plural(count, { one: '1 message', other: `${count.toLocaleString()} messages` })
const fileCount = (count: number) =>
  plural(count, { one: '1 file', other: `${count.toLocaleString()} files` })
export const importedCounts = (conversations: number, messages: number, files: number) =>
  `${conversationCount(conversations)}, ${messageCount(messages)}, ${fileCount(files)}`
export const presentAlready = (count: number) =>
  plural(count, {
    one: '1 conversation is here already and stays as it is.',
    other: `${count.toLocaleString()} conversations are here already and stay as they are.`,
  })

// import-service
export const unreadable = {
  noConversations: 'There are no conversations of ChatGPT or Claude in this file. Please choose another one.',
  damaged: 'This file could not be read. Please download the export again.',
  notStarted: 'The import could not be started. Please reload the page and try again.',
}

// left-out-list
const leftOutTexts: Readonly<Record<string, (count: string) => string>> = {
  unreadableConversations: (count) => `Conversations that could not be read: ${count}`,
  emptyConversations: (count) => `Conversations without messages: ${count}`,
  damagedParts: (count) => `Damaged parts of the archive: ${count}`,
  messages: (count) => `Messages that could not be placed: ${count}`,
  versions: (count) => `Further versions of messages: ${count}`,
  longTexts: (count) => `Ends of very long messages: ${count}`,
  toolCalls: (count) => `Calls of tools: ${count}`,
  toolResults: (count) => `Results of tools: ${count}`,
  reasoning: (count) => `Parts of the assistant’s reasoning: ${count}`,
  recordings: (count) => `Sound and video recordings: ${count}`,
  missingFiles: (count) =>
    `Files that could not be read from the archive, or are larger than 20 MB: ${count}`,
  furtherFiles: (count) => `Files beyond ten of one message: ${count}`,
  refusedFiles: (count) => `Files that the service did not take: ${count}`,
}

/** @param kind of left-out.ts */
export function describeLeftOut(kind: string, count: number): string {
  const number = count.toLocaleString()
  const space = kind.indexOf(' ')
  const name = kind.slice(space + 1)
  if (kind.startsWith('file ')) return count === 1 ? `The file ${name}` : `Files named ${name}: ${number}`
  if (kind.startsWith('part ')) return `Parts of the kind “${name}”: ${number}`
  return leftOutTexts[kind]?.(number) ?? `${kind}: ${number}`
}
