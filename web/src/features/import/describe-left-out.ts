import { t } from '@lingui/core/macro'
import { maxFileBytes, maxFilesPerMessage, maxProjectFiles } from '#shared/limits.ts'
import { formatCount, formatList } from '../../lib/text/locale.ts'
import type { LeftOut, LeftOutKind } from './left-out.ts'

const MB = 1024 ** 2

/** What each kind is called, with its formatted count. */
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
  missingFiles: (count) =>
    t`Files that the export does not have, or that are larger than ${{ size: maxFileBytes / MB }} MB: ${count}`,
  linkedFiles: (count) => t`Files that the assistant made and the export does not have: ${count}`,
  furtherFiles: (count) => t`Files beyond ${{ max: maxFilesPerMessage }} of one message: ${count}`,
  refusedFiles: (count) => t`Files that the service did not take: ${count}`,
  unusedFiles: (count) => t`Files that belong to no message: ${count}`,
  tags: (count) => t`Tags of conversations: ${count}`,
  conversationChoices: (count) => t`Models and choices of tools of conversations: ${count}`,
  projectPlaces: (count) => t`Conversations of projects that the export does not name: ${count}`,
  projectDescriptions: (count) => t`Descriptions of projects: ${count}`,
  projectChoices: (count) => t`Models and tools that projects had chosen: ${count}`,
  projectFiles: (count) => t`Files beyond ${{ max: maxProjectFiles }} of one project: ${count}`,
  refusedProjects: (count) => t`Projects that the service did not take: ${count}`,
  refusedPrompts: (count) => t`Saved prompts that the service did not take: ${count}`,
  refusedMemories: (count) => t`Memories that the service did not take: ${count}`,
  sourceMemories: (count) => t`What the other assistant remembered of you: ${count}`,
  instructions: (count) => t`Custom instructions, because you have others here: ${count}`,
  accountData: (count) => t`Settings, connections and other data of the account: ${count}`,
  parts: (count) => t`Parts of messages that have no place here: ${count}`,
  otherFiles: (count) => t`Other files of the export: ${count}`,
}

/** Describes what was left out, with its count and a few names. */
export function describeLeftOut(
  kind: LeftOutKind,
  { count, names, hasOthers }: NonNullable<LeftOut[LeftOutKind]>,
): string {
  const text = leftOutTexts[kind](formatCount(count))
  return names.length === 0 ? text : `${text} (${formatList([...names, ...(hasOthers ? ['…'] : [])])})`
}
