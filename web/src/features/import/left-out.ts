import { truncate } from '#shared/truncate.ts'

/** What an import leaves out, by what the person would miss. */
export type LeftOutKind =
  | 'unreadableConversations'
  /** the service failed at them */
  | 'failedConversations'
  | 'emptyConversations'
  /** a reply was being written in them */
  | 'busyConversations'
  /** damaged from some byte on, or no archives at all */
  | 'damagedParts'
  | 'messages'
  | 'versions'
  | 'longTexts'
  /** of tools other than those below, by name */
  | 'toolCalls'
  /** apps, links, notes and questions beside the results of calls */
  | 'callExtras'
  /** programs that the assistant ran, with what they wrote */
  | 'codeRuns'
  | 'webSearches'
  | 'documentChanges'
  | 'documentComments'
  | 'missingDocuments'
  /** marks of sources whose addresses the export does not have */
  | 'citations'
  | 'furtherSources'
  | 'reasoning'
  /** below replies */
  | 'notices'
  /** tokens and costs of replies */
  | 'replyUsage'
  | 'recordings'
  /** of messages: not in the archive, or too large */
  | 'missingFiles'
  /** that the assistant made, behind links */
  | 'linkedFiles'
  | 'furtherFiles'
  /** the service took no more or rejected it */
  | 'refusedFiles'
  /** in the archive, and of no message */
  | 'unusedFiles'
  /** of conversations */
  | 'tags'
  | 'conversationChoices'
  | 'projectPlaces'
  | 'projectDescriptions'
  | 'projectChoices'
  | 'projectFiles'
  | 'refusedProjects'
  | 'refusedPrompts'
  | 'refusedMemories'
  | 'sourceMemories'
  | 'instructions'
  | 'accountData'
  /** parts of messages of other kinds, named as in the export */
  | 'parts'
  /** files of the archive that are not conversations, by name */
  | 'otherFiles'

/** `names`: the first of those that have one; `hasOthers`: there are further names, or some without */
export type LeftOut = Partial<Record<LeftOutKind, { count: number; names: string[]; hasOthers?: true }>>

/** Names that are shown of one kind, each in one line; an export could have endless ones. */
const maxNames = 5
const maxNameCharacters = 60

function addTo(
  counts: LeftOut,
  kind: LeftOutKind,
  { count, names, hasOthers }: NonNullable<LeftOut[LeftOutKind]>,
): void {
  const before = counts[kind]
  const all = [...new Set([...(before?.names ?? []), ...names])]
  counts[kind] = {
    count: (before?.count ?? 0) + count,
    names: all.slice(0, maxNames),
    ...((hasOthers || before?.hasOthers || all.length > maxNames) && { hasOthers: true as const }),
  }
}

/** Creates a counter of what an import leaves out, by kind, with a few names of each. Names are shortened. @param before counted already */
export function createLeftOutCounter(before: LeftOut = {}) {
  const counts = structuredClone(before)
  return {
    add(kind: LeftOutKind, { count = 1, name = '' }: { count?: number; name?: string } = {}): void {
      if (count <= 0) return
      const shortName = truncate(name, maxNameCharacters)
      addTo(counts, kind, {
        count,
        ...(shortName === '' ? { names: [], hasOthers: true } : { names: [shortName] }),
      })
    },
    getCounts: (): LeftOut => structuredClone(counts),
  }
}

/** What `createLeftOutCounter` returns. */
export type LeftOutCounter = ReturnType<typeof createLeftOutCounter>

/** What two parts of an import leave out together. */
export function addCounts(a: LeftOut, b: LeftOut): LeftOut {
  const sum = structuredClone(a)
  for (const [kind, found] of Object.entries(b)) addTo(sum, kind as LeftOutKind, found)
  return sum
}
