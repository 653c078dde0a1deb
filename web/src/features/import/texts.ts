import { plural, t } from '@lingui/core/macro'
import { formatCount, formatList } from '../../lib/locale.ts'
import type { LeftOut, LeftOutKind } from './left-out.ts'
import type { LibraryCounts } from './send-library.ts'

// import-card
export const importConversations = t`Import conversations`
export const importHint = (brand: string) =>
  t`Bring your history from ChatGPT, Claude, LibreChat, Open WebUI or another ${brand}: choose the files that you get there with “Export data” or “Export”, all of them together.`
export const chooseFile = t`Choose files`
export const exportFile = t`Files of an export`
export const dropHint = t`or drop them here, or their folder`
export const progress = t`Progress of the import`
export const waiting = t`Waiting for the service. The import continues by itself.`
export const keepOpen = t`Keep this tab open. You can go on using it, and a reload goes on from here.`
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
export const undoKeeps = t`Projects, prompts and memories stay, and so do messages that were added to conversations of an earlier import.`
export const earlierImports = t`Imports`
export const undoLabel = (description: string) => t`Undo import: ${description}`
export function importDetails(name: string, date: string, conversations: number) {
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
const projectCount = (count: number) => plural(count, { one: '# project', other: `# projects` })
const promptCount = (prompts: number) => plural(prompts, { one: '# saved prompt', other: `# saved prompts` })
const memoryCount = (count: number) => plural(count, { one: '# memory', other: `# memories` })
/** Of those that there are; '' if there are none. */
export const libraryCounts = ({ projects, prompts, memories, hasInstructions }: LibraryCounts) =>
  formatList([
    ...(projects > 0 ? [projectCount(projects)] : []),
    ...(prompts > 0 ? [promptCount(prompts)] : []),
    ...(memories > 0 ? [memoryCount(memories)] : []),
    ...(hasInstructions ? [t`custom instructions`] : []),
  ])
export const extendedCount = (count: number) =>
  plural(count, {
    one: '# conversation of an earlier import got its new messages.',
    other: `# conversations of an earlier import got their new messages.`,
  })
export const lookAtThem = t`All replies follow these instructions and memories: look at them further down, if the file is not your own.`
export const whereToFind = t`You find them in your conversations, by their own dates, and with the search.`
export const presentAlready = (count: number) =>
  plural(count, {
    one: '# conversation is here already and stays as it is.',
    other: `# conversations are here already and stay as they are.`,
  })

// import-service
export const inOtherTab = t`An import is running in another tab of this browser. Wait until it has finished.`
export const unreadable = {
  noConversations: t`No conversations that can be imported were found in this file. Exports of ChatGPT, Claude, LibreChat, Open WebUI and of this service can be.`,
  downloadList: t`This file only has the links to your export. Open it, download the archives (zip files) that it names, and choose all of them here together.`,
  damaged: t`This file could not be read. Please download the export again.`,
  notStarted: t`The import could not be started. Please reload the page and try again.`,
}

// send-library
export const untitledProject = t`Imported project`

// left-out-list
const leftOutTexts: Record<LeftOutKind, (count: string) => string> = {
  unreadableConversations: (count) => t`Conversations that could not be read: ${count}`,
  failedConversations: (count) => t`Conversations that the service could not store: ${count}`,
  emptyConversations: (count) => t`Conversations without messages: ${count}`,
  busyConversations: (count) => t`Conversations in which a reply was being written: ${count}`,
  damagedParts: (count) => t`Damaged parts of the archive: ${count}`,
  messages: (count) => t`Messages that could not be placed: ${count}`,
  versions: (count) => t`Further versions of messages: ${count}`,
  longTexts: (count) => t`Ends of very long messages: ${count}`,
  toolCalls: (count) => t`Calls of tools, with their results: ${count}`,
  callExtras: (count) => t`What tools showed beside their results (apps, links, notes, questions): ${count}`,
  codeRuns: (count) => t`Programs that the assistant ran, with what they wrote: ${count}`,
  webSearches: (count) => t`Searches of the web, with their results: ${count}`,
  documentChanges: (count) => t`Changes of documents that could not be repeated: ${count}`,
  documentComments: (count) => t`Comments on documents: ${count}`,
  missingDocuments: (count) => t`Documents that the export does not have: ${count}`,
  citations: (count) => t`Sources whose addresses the export does not have: ${count}`,
  furtherSources: (count) => t`Sources for which a message has no room: ${count}`,
  reasoning: (count) => t`Parts of the assistant’s reasoning: ${count}`,
  notices: (count) => t`Notes below replies: ${count}`,
  replyUsage: (count) => t`What replies used, in tokens and costs: ${count}`,
  recordings: (count) => t`Sound and video recordings: ${count}`,
  missingFiles: (count) => t`Files that the export does not have, or that are larger than 20 MB: ${count}`,
  linkedFiles: (count) => t`Files that the assistant made and the export does not have: ${count}`,
  furtherFiles: (count) => t`Files beyond ten of one message: ${count}`,
  refusedFiles: (count) => t`Files that the service did not take: ${count}`,
  unusedFiles: (count) => t`Files that belong to no message: ${count}`,
  tags: (count) => t`Tags of conversations: ${count}`,
  conversationChoices: (count) => t`Models and choices of tools of conversations: ${count}`,
  projectPlaces: (count) => t`Conversations of projects that the export does not name: ${count}`,
  projectDescriptions: (count) => t`Descriptions of projects: ${count}`,
  projectChoices: (count) => t`Models and tools that projects had chosen: ${count}`,
  projectFiles: (count) => t`Files beyond fifty of one project: ${count}`,
  refusedProjects: (count) => t`Projects that the service did not take: ${count}`,
  refusedPrompts: (count) => t`Saved prompts that the service did not take: ${count}`,
  refusedMemories: (count) => t`Memories that the service did not take: ${count}`,
  sourceMemories: (count) => t`What the other assistant remembered of you: ${count}`,
  instructions: (count) => t`Custom instructions, because you have others here: ${count}`,
  accountData: (count) => t`Settings, connections and other data of the account: ${count}`,
  parts: (count) => t`Parts of messages that have no place here: ${count}`,
  otherFiles: (count) => t`Other files of the export: ${count}`,
}

/** @param names of some of them */
export function describeLeftOut(
  kind: LeftOutKind,
  { count, names, hasOthers = false }: NonNullable<LeftOut[LeftOutKind]>,
): string {
  const text = leftOutTexts[kind](formatCount(count))
  return names.length === 0 ? text : `${text} (${[...names, ...(hasOthers ? ['…'] : [])].join(', ')})`
}

/** What to do about something that was left out, if anything. */
export const nextSteps: Partial<Record<LeftOutKind, string>> = {
  missingFiles: t`Archives of one export belong together: choose all of them, and not a file of one, to get the files, too.`,
  refusedFiles: t`Make room under “Your files”, or come back tomorrow, undo this import and choose the archive again.`,
  failedConversations: t`Choose the same files again later.`,
  busyConversations: t`Choose the same files again when the reply is there.`,
  projectPlaces: t`Create a project, and move the conversations into it from their menus.`,
  sourceMemories: t`Open memories.json with an editor, and copy what matters to Settings, Memory.`,
}
export const goOn = t`Choose the same files again to go on: what is here already is not imported twice.`
