import * as z from 'zod'
import type { TurnTranscript } from '../../conversations/store/transcript-repository.ts'
import { parseExactJson } from '../../platform/exact-json.ts'
import type { StoredMessage } from '../../conversations/store/message-row.ts'
import { modelApis } from '#shared/model-apis.ts'
import type { ModelMessage } from '../../models/model.ts'
import type { PromptMessage } from './prompt.ts'

/** A file as the model was first given it. Its text is not stored here: it goes with the file. */
const givenFile = z.object({
  id: z.string(),
  /** its tag, without what closes it */
  tag: z.string(),
  /** characters of its text, and the bytes of what was given of it */
  characters: z.number().int().nonnegative().default(0),
  bytes: z.number().int().nonnegative().default(0),
  /** whether it was shown as an image */
  image: z.boolean().default(false),
  /** what stands before its text: names and columns of its tables */
  head: z.string().default(''),
  /** how many pictures and PDFs of its pages were shown, and what the PDFs have */
  pictures: z.number().int().nonnegative().default(0),
  pdfs: z.number().int().nonnegative().default(0),
  pdfPages: z.number().int().nonnegative().default(0),
  pdfBytes: z.number().int().nonnegative().default(0),
  /** it was still being read */
  isPending: z.boolean().default(false),
})
export type GivenFile = z.infer<typeof givenFile>

/** What a message of the user was given to the model with, besides its text: what has changed since the message before. */
const given = z.object({
  files: z.array(givenFile).default([]),
  /** the day, as `2026-11-27` */
  date: z.string().optional(),
  /** ids of memories */
  memories: z.array(z.string()).default([]),
  /** connections that are out of reach; empty: none is any more */
  missing: z.string().optional(),
})
export type Given = z.infer<typeof given>

export const nothingGiven: Given = { files: [], memories: [] }

const answer = z.object({
  api: z.enum(modelApis),
  model: z.string(),
  items: z.array(z.record(z.string(), z.unknown())),
})
const call = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})
const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    tool_calls: z.array(call).optional(),
    answer: answer.optional().catch(undefined),
    isThinking: z.boolean().optional(),
  }),
  z.object({
    role: z.literal('tool'),
    tool_call_id: z.string(),
    content: z.string(),
    images: z.array(z.object({ fileId: z.string().optional() })).optional(),
  }),
])

/** Characters of a stored transcript to those of the prompt: it has text and calls twice, and names of fields. */
export const transcriptFactor = 3

/** A turn as the model was given it, and what it has given: so it stands in each later prompt. */
const transcript = z.object({
  /** that has written the last answer, as its server calls it */
  model: z.string(),
  given: given.default(nothingGiven),
  /** the rounds: answers of the model, and results of its tools */
  messages: z.array(message),
})
export interface Transcript {
  model: string
  given: Given
  messages: ModelMessage[]
}

/** @returns undefined for what cannot be read */
export function parseTranscript(text: string): Transcript | undefined {
  try {
    return transcript.parse(parseExactJson(text)) as Transcript
  } catch {
    return undefined
  }
}

/** Images are stored as files already, and would not fit. */
function toStoredMessage(one: ModelMessage): ModelMessage {
  if (one.role !== 'tool' || !one.images) return one
  const { images, ...rest } = one
  const stored = images.flatMap(({ fileId }) => (fileId === undefined ? [] : [{ fileId }]))
  return { ...rest, ...(stored.length > 0 && { images: stored }) }
}

/** Serializes a transcript. Of a tool's images it has the ids of the files alone. */
export const formatTranscript = ({ model, given: added, messages }: Transcript): string =>
  JSON.stringify({ model, given: added, messages: messages.map(toStoredMessage) })

/** The rounds for another model, which gets no answers of others, and ids of calls that any server takes: Mistral wants nine letters or digits. */
function toForeignMessages(messages: readonly ModelMessage[], turn: number): ModelMessage[] {
  const ids = new Map<string, string>()
  const toId = (id: string) => {
    const known = ids.get(id) ?? turn.toString(36).padStart(6, '0') + ids.size.toString(36).padStart(3, '0')
    ids.set(id, known)
    return known
  }
  return messages.map((one) => {
    if (one.role === 'tool') return { ...one, tool_call_id: toId(one.tool_call_id) }
    if (one.role !== 'assistant') return one
    const { answer: _, tool_calls: calls, ...rest } = one
    return { ...rest, ...(calls && { tool_calls: calls.map((each) => ({ ...each, id: toId(each.id) })) }) }
  })
}

/** The rounds of an earlier turn, for this model. */
export const restoreRounds = ({ model, messages }: Transcript, turn: number, asked: string): ModelMessage[] =>
  model === asked ? messages : toForeignMessages(messages, turn)

const stoppedResult = 'Error: The reply ended before this call was answered.'

/**
 * The rounds of a reply that has ended, so that they can stand in a prompt: each call has its result, in the order of the calls.
 * @param messages of the rounds
 */
export function closeRounds(messages: readonly ModelMessage[]): ModelMessage[] {
  const results = new Map(
    messages.flatMap((one) => (one.role === 'tool' ? [[one.tool_call_id, one] as const] : [])),
  )
  return messages.flatMap((one): ModelMessage[] => {
    if (one.role === 'tool') return []
    const calls = one.role === 'assistant' ? (one.tool_calls ?? []) : []
    const answers = calls.map(
      ({ id }) => results.get(id) ?? { role: 'tool' as const, tool_call_id: id, content: stoppedResult },
    )
    return [one, ...answers]
  })
}

/**
 * Gives messages of a conversation the transcripts of their turns, which their replies name.
 * @param messages as they are stored
 */
export function addTranscripts<M extends StoredMessage>(
  messages: readonly M[],
  found: readonly TurnTranscript[],
): (M & Pick<PromptMessage, 'transcript' | 'given'>)[] {
  const parsed = new Map(
    messages.flatMap(({ turn, transcript_run: named }) => {
      const stored = found.find((one) => one.turn === turn && one.runId === named)
      const read = stored && parseTranscript(stored.text)
      return read ? [[turn, read] as const] : []
    }),
  )
  return messages.map((one) => {
    const read = parsed.get(one.turn)
    if (!read) return one
    return one.role === 'user' ? { ...one, given: read.given } : { ...one, transcript: read }
  })
}
