import { isDocument } from '#shared/file-kinds.ts'
import type { ToolCall, Usage } from '#shared/contracts/chat.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { contextKey, type PromptAttachment } from './resolve-attachments.ts'
import type { AttachmentContexts } from './attachment-context.ts'
import type { AttachmentContext } from './render-attachment.ts'
import { toTurn } from './choose-cut.ts'
import { limitContext, type ContextLimits } from './context-limits.ts'
import type { Cut } from '../../conversations/store/message-row.ts'
import type { ContentPart, ModelMessage } from '../../models/model.ts'
import { countCharacters, measureText } from '../../models/token-estimate.ts'
import { restoreRounds, type Given, type Transcript } from './transcript.ts'
import { missingTextNote, buildToolMessages } from '../../models/tool-messages.ts'

/**
 * The share of a conversation's characters that the tool calls of one earlier reply may take: constant, so that the prompt's beginning
 * stays the same.
 */
const callShare = 1 / 8

/** A message of a conversation, with its files by name. */
export interface PromptMessage {
  /** undefined if it is not stored */
  id?: string
  role: 'user' | 'assistant'
  content: string
  attachments?: readonly PromptAttachment[]
  /** the tools that a reply called, with their results */
  tool_calls?: readonly ToolCall[]
  /** the rounds of a reply, as the model was given them */
  transcript?: Transcript
  /** what a message of the user was first given to the model with */
  given?: Given
  /** where the prompt of a reply was cut */
  cut?: Cut
  /** from an export, which anybody may have written */
  imported?: boolean
  /** the web pages that a reply cites */
  sources?: readonly unknown[] | undefined
  /** what a reply used */
  usage?: Pick<Usage, 'webSearches' | 'readOthers'> | undefined
  /** how a reply ended, if it is stored */
  status?: string | undefined
  /** its turn in the conversation, if it is stored */
  turn?: number
}

/** The message that a reply answers. */
export const findUserMessage = (history: readonly PromptMessage[]): PromptMessage | undefined =>
  history.findLast(({ role }) => role === 'user')

const missingText: ModelMessage = { role: 'assistant', content: missingTextNote }

/** What the prompt has of a message besides what is stored with it. */
export interface PromptExtras {
  /** of files of messages that the model gets for the first time */
  contexts?: AttachmentContexts
  /** files of other messages */
  givenFiles?: ReadonlyMap<PromptMessage, readonly AttachmentContext[]>
  /** notes at the end of messages of the user */
  notes?: ReadonlyMap<PromptMessage, string>
}

/** Converts a message, with the contexts of its files. */
function toModelMessage(
  message: PromptMessage,
  { contexts = new Map(), givenFiles, notes }: PromptExtras = {},
): ModelMessage | undefined {
  const { role, content, attachments = [] } = message
  if (role === 'assistant') {
    const text = [content, ...attachments.map(describeShownFile)]
      .filter((part) => part.trim() !== '')
      .join('\n\n')
    return text === '' ? undefined : { role, content: text }
  }
  const known = givenFiles?.get(message) ?? []
  const knownIds = new Set(message.given?.files.map(({ id }) => id))
  const fileContexts = [
    ...known,
    ...attachments.flatMap((one) => (knownIds.has(one.id) ? [] : (contexts.get(contextKey(one)) ?? []))),
  ]
  const text = [content, ...fileContexts.map((one) => one.text), notes?.get(message) ?? '']
    .filter((part) => part.trim() !== '')
    .join('\n\n')
  if (text === '') return undefined
  const shown = fileContexts.flatMap(({ image, pages = [] }): ContentPart[] => [
    ...(image === undefined ? [] : [{ type: 'image_url' as const, image_url: { url: image } }]),
    ...pages,
  ])
  return { role, content: shown.length === 0 ? text : [{ type: 'text', text }, ...shown] }
}

/** Tells a model of a file that its reply has shown. */
export const describeShownFile = ({
  id,
  name,
  prompt,
  type,
  integration,
}: Pick<PromptAttachment, 'id' | 'name' | 'prompt' | 'type' | 'integration'>): string =>
  // the name of a tool's file is untrusted, and would stand here as the assistant's own words
  integration === undefined
    ? `[An image was made here: ${prompt ?? id}]`
    : `[A file of a tool was shown here: ${type}${isDocument({ name, type }) ? `, id ${id}` : ''}]`

/** Counts the text of a message and of its files. */
const countMessageCharacters = ({ content, attachments = [] }: PromptMessage) =>
  attachments.reduce((sum, { extractedText = '' }) => sum + extractedText.length, content.length)

/** The newest messages within the budget, the last one always; stored with the waiting run of a temporary chat. */
export function trimHistory(
  history: readonly PromptMessage[],
  { maxCharacters }: ContextLimits = limitContext({}),
) {
  let charactersLeft = maxCharacters
  const first = history.findLastIndex((one, index) => {
    charactersLeft -= countMessageCharacters(one)
    return charactersLeft < 0 && index < history.length - 1
  })
  return history
    .slice(first + 1)
    .map(({ role, content, attachments = [] }) => ({ role, content, attachments: [...attachments] }))
}

const maxCallCharacters = ({ maxCharacters }: ContextLimits) => Math.floor(maxCharacters * callShare)

/** The calls of an earlier reply in short, before its text. */
const toShortCalls = ({ role, tool_calls: calls = [] }: PromptMessage, turn: number, limits: ContextLimits) =>
  buildToolMessages(role === 'assistant' ? calls : [], {
    key: turn.toString(36),
    maxCharacters: maxCallCharacters(limits),
  })

const countRounds = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + countCharacters(message), 0)

/** Measures messages for a cut: text, calls and results. Files have room of their own. */
export const measureFor =
  (limits: ContextLimits) =>
  (message: PromptMessage, isWhole: boolean): number => {
    const { content, transcript, turn = 0 } = message
    if (transcript && isWhole) return countRounds(transcript.messages)
    // a blank message is not sent
    return (content.trim() === '' ? 0 : measureText(content)) + toShortCalls(message, turn, limits).characters
  }

export interface PromptMessages {
  messages: ModelMessage[]
  /** the first message of the conversation that the model gets, if earlier ones are left out */
  firstSent: PromptMessage | undefined
}

interface BuildOptions extends PromptExtras {
  limits?: ContextLimits
  /** whether the conversation has messages before `history` */
  hasEarlier?: boolean
  cut?: Cut | undefined
  /** the server's name of the model */
  model?: string
}

/** A message with the calls of tools that stand before it. */
interface Group {
  source: PromptMessage
  messages: ModelMessage[]
}

/**
 * Builds the model's messages: instructions, then the messages from the cut on, the last one always.
 * @param history oldest first; blank messages and the line after a stop are left out
 */
export function buildModelMessages(
  system: string,
  history: readonly PromptMessage[],
  { limits = limitContext({}), hasEarlier = false, cut, model = '', ...extras }: BuildOptions = {},
): PromptMessages {
  const { from = 0, whole = 0 } = cut ?? {}
  const groups = history.flatMap((source, index): Group[] => {
    const turn = toTurn(source, index)
    if (turn < from) return []
    const { role, content, transcript } = source
    const isAssistant = role === 'assistant'
    if (transcript && turn >= whole) {
      const rounds = restoreRounds(transcript, turn, model)
      const last = rounds.at(-1)
      const hasText = last?.role === 'assistant' && !last.tool_calls
      return [{ source, messages: hasText ? rounds : [...rounds, missingText] }]
    }
    const message = isAssistant && content === stoppedLine ? undefined : toModelMessage(source, extras)
    const before = toShortCalls(source, turn, limits)
    const visible = message ?? (before.messages.length > 0 ? missingText : undefined)
    return visible ? [{ source, messages: [...before.messages, visible] }] : []
  })
  // a context that begins in the middle of an exchange begins with the user
  while (groups[0]?.source.role === 'assistant') groups.shift()
  // servers want an answer after each message of the user: a reply that failed, or was stopped before its text, has none
  const messages = groups.flatMap((group, index) =>
    group.source.role === 'user' && groups[index - 1]?.source.role === 'user'
      ? [missingText, ...group.messages]
      : group.messages,
  )
  const isCut = hasEarlier || history.some((message, index) => toTurn(message, index) < from)
  return {
    messages: [{ role: 'system', content: system }, ...messages],
    firstSent: isCut ? groups[0]?.source : undefined,
  }
}
