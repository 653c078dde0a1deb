/** What an import leaves out, by kind. */
export type LeftOutKind =
  | 'unreadableConversations'
  | 'emptyConversations'
  /** the archive is damaged from some byte on */
  | 'damagedParts'
  | 'messages'
  | 'versions'
  | 'longTexts'
  | 'toolCalls'
  | 'toolResults'
  | 'reasoning'
  | 'recordings'
  /** a file of a message that is not in the archive, or that a message has no room for */
  | 'missingFiles'
  | 'furtherFiles'
  /** the service took no more or rejected it */
  | 'refusedFiles'
  /** parts of messages of other kinds, named as in the export */
  | `part ${string}`
  /** files of the archive that are not conversations, by name */
  | `file ${string}`

export type LeftOut = Record<string, number>

/** Different names that are counted each; an export could have endless ones. */
const maxNames = 30
const maxNameCharacters = 60

/** Counts what is left out. */
export function createLeftOutCounter() {
  const counts = new Map<string, number>()
  return {
    add(kind: LeftOutKind, count = 1): void {
      const name = kind.slice(0, maxNameCharacters)
      const isKnown = counts.has(name) || !name.includes(' ') || counts.size < maxNames
      const counted = isKnown ? name : `${name.split(' ')[0]} …`
      counts.set(counted, (counts.get(counted) ?? 0) + count)
    },
    getCounts: (): LeftOut => Object.fromEntries(counts),
  }
}

export type LeftOutCounter = ReturnType<typeof createLeftOutCounter>
