import type { Memory } from '#shared/contracts/memory.ts'
import { formatMemories, selectMemories } from './memory-context.ts'
import type { PromptMessage } from './prompt.ts'
import { nothingGiven, type Given, type GivenFile } from './transcript.ts'

interface NotesInput {
  /** what the new message was given with before the reply waited or was cut; undefined for the first time */
  given: Given | undefined
  startDate: string
  /** all that the user has; undefined if memory is off */
  memories: readonly Memory[] | undefined
  /** for those that are noted with the new message */
  maxMemoryCharacters: number
  /** the connections that are out of reach; empty if none is */
  missing: string
  /** the files of the new message */
  files: readonly GivenFile[]
  today?: string
}

/** The day in UTC, as `2026-11-20`. */
export const toDate = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** What has changed since the messages before. */
function findChanges(
  earlier: readonly Given[],
  { startDate, memories = [], maxMemoryCharacters, missing, files, today = toDate(Date.now()) }: NotesInput,
): Given {
  const date = earlier.findLast((one) => one.date !== undefined)?.date ?? startDate
  const noted = new Set(earlier.flatMap((one) => one.memories))
  const known = earlier.findLast((one) => one.missing !== undefined)?.missing ?? ''
  return {
    files: [...files],
    ...(date !== today && { date: today }),
    memories: selectMemories(
      memories.filter(({ id }) => !noted.has(id)),
      maxMemoryCharacters,
    ).map(({ id }) => id),
    ...(known !== missing && { missing }),
  }
}

function formatNotes({ date, memories: ids, missing }: Given, memories: readonly Memory[]): string {
  const lines = [
    date === undefined ? '' : `Today is ${date} (UTC).`,
    missing === undefined
      ? ''
      : missing === ''
        ? 'All connections are within reach again.'
        : `Connected, but out of reach right now: ${missing}.`,
    formatMemories(memories.filter(({ id }) => ids.includes(id))),
  ].filter((line) => line !== '')
  // no name or memory ends the tag
  const text = lines.join('\n').replaceAll('</', '<\\/')
  return lines.length === 0 ? '' : `<notes>\n${text}\n</notes>`
}

/**
 * The notes of messages: what changes from turn to turn stands in the message with which it has changed, so that nothing before it does.
 * A memory that was deleted since is left out.
 * @param messages of the prompt, the new one last
 * @returns `given`: what the new message is given with
 */
export function addNotes(
  messages: readonly PromptMessage[],
  input: NotesInput,
): { given: Given; notes: ReadonlyMap<PromptMessage, string> } {
  const { given: known, memories = [] } = input
  const newest = messages.at(-1)
  const earlier = messages.slice(0, -1).flatMap((message) => message.given ?? [])
  const given = known ?? findChanges(earlier, input)
  const notes = messages.map((message) => {
    const own = message === newest ? given : (message.given ?? nothingGiven)
    return [message, formatNotes(own, memories)] as const
  })
  return { given, notes: new Map(notes) }
}
