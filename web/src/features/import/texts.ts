import { plural, t } from '@lingui/core/macro'
import { formatCount, formatList } from '../../lib/locale.ts'

// import-card
export const importConversations = t`Import conversations`
export const importHint = t`Bring your history from ChatGPT or Claude: choose the zip file that you get there with “Export data”, or the conversations.json in it.`
export const chooseFile = t`Choose file`
export const exportFile = t`Export of ChatGPT or Claude`
export const dropHint = t`or drop it here`
export const progress = t`Progress of the import`
export const waiting = t`Waiting for the service. The import continues by itself.`
export const keepOpen = t`Keep this tab open. You can go on using it.`
export const cancelled = t`The import was cancelled.`
export const stopped = t`The import stopped.`
export const done = t`Import finished`
export const leftOut = t`Left out`
export const importAnother = t`Import another file`
export const undoImport = t`Undo import`
export const undoing = t`Undoing…`
export const undone = t`Import undone`
export const undoFailed = t`The import could not be undone completely`
export const undoTitle = t`Undo this import?`
export const undoHint = (conversations: number) =>
  plural(conversations, {
    one: '# conversation will be deleted, with its files and with what you added to it since.',
    other: '# conversations will be deleted, with their files and with what you added to them since.',
  })
export const earlierImports = t`Imports`
export const undoLabel = (description: string) => t`Undo import: ${description}`
const sourceNames = { chatgpt: 'ChatGPT', claude: 'Claude' }
export function importDetails(source: 'chatgpt' | 'claude', date: string, conversations: number) {
  const name = sourceNames[source]
  return plural(conversations, {
    one: `${name}, ${date}: # conversation`,
    other: `${name}, ${date}: # conversations`,
  })
}

const conversationCount = (count: number) =>
  plural(count, { one: '# conversation', other: `# conversations` })
const messageCount = (count: number) => plural(count, { one: '# message', other: `# messages` })
const fileCount = (count: number) => plural(count, { one: '# file', other: `# files` })
export const importedCounts = (conversations: number, messages: number, files: number) =>
  formatList([conversationCount(conversations), messageCount(messages), fileCount(files)])
export const presentAlready = (count: number) =>
  plural(count, {
    one: '# conversation is here already and stays as it is.',
    other: `# conversations are here already and stay as they are.`,
  })

// import-service
export const unreadable = {
  noConversations: t`There are no conversations of ChatGPT or Claude in this file. Please choose another one.`,
  damaged: t`This file could not be read. Please download the export again.`,
  notStarted: t`The import could not be started. Please reload the page and try again.`,
}

// left-out-list
const leftOutTexts: Readonly<Record<string, (count: string) => string>> = {
  unreadableConversations: (count) => t`Conversations that could not be read: ${count}`,
  emptyConversations: (count) => t`Conversations without messages: ${count}`,
  damagedParts: (count) => t`Damaged parts of the archive: ${count}`,
  messages: (count) => t`Messages that could not be placed: ${count}`,
  versions: (count) => t`Further versions of messages: ${count}`,
  longTexts: (count) => t`Ends of very long messages: ${count}`,
  toolCalls: (count) => t`Calls of tools: ${count}`,
  toolResults: (count) => t`Results of tools: ${count}`,
  reasoning: (count) => t`Parts of the assistant’s reasoning: ${count}`,
  recordings: (count) => t`Sound and video recordings: ${count}`,
  missingFiles: (count) =>
    t`Files that could not be read from the archive, or are larger than 20 MB: ${count}`,
  furtherFiles: (count) => t`Files beyond ten of one message: ${count}`,
  refusedFiles: (count) => t`Files that the service did not take: ${count}`,
}

/** @param kind of left-out.ts */
export function describeLeftOut(kind: string, count: number): string {
  const number = formatCount(count)
  const space = kind.indexOf(' ')
  const name = kind.slice(space + 1)
  if (kind.startsWith('file ')) return count === 1 ? t`The file ${name}` : t`Files named ${name}: ${number}`
  if (kind.startsWith('part ')) return t`Parts of the kind “${name}”: ${number}`
  return leftOutTexts[kind]?.(number) ?? `${kind}: ${number}`
}
