import * as z from 'zod'
import {
  message as messageSchema,
  messageWithVersions,
  type Message,
  type MessageWithVersions,
} from '#shared/contracts/messages.ts'

// The rows of messages, and what is read from them.

/** The kinds of messages in a turn, in reading order: the user's message, the reply, and the line after a stop, which earlier releases stored. */
const kindCodes = { user: '1', reply: '2', stop: '3' } as const
type MessageKind = keyof typeof kindCodes
const kindsByCode = { '1': 'user', '2': 'reply', '3': 'stop' } as const satisfies Record<string, MessageKind>

const cut = z.object({
  /** as its server calls it */
  model: z.string(),
  /** the first turn that the prompt has */
  from: z.number().int(),
  /** the first turn that it has whole: of those before, results of tools and files are given in short */
  whole: z.number().int(),
})
/** Where the prompt of a conversation was cut for a model. */
export type Cut = z.infer<typeof cut>

/** A message with its position in the conversation; the server numbers the turns. */
export interface StoredMessage extends Message {
  turn: number
  kind: MessageKind
  /** the run whose transcript of the turn counts; of a reply, and never sent to a page */
  transcript_run?: string
  /** where the prompt of a reply was cut; never sent to a page */
  cut?: Cut
  /** from an export, which anybody may have written */
  imported?: boolean
}

/** The message as callers know it. */
export const toReadMessage = (
  message: StoredMessage & Pick<MessageWithVersions, 'versions'>,
): MessageWithVersions => messageWithVersions.parse(message)

/** What the keys of a conversation's messages start with. */
export const messagePrefix = (sessionId: string) => `M#${sessionId}#`

/** What the keys of the messages of one turn start with. */
export const turnPrefix = (sessionId: string, turn: number) =>
  `${messagePrefix(sessionId)}${String(turn).padStart(6, '0')}#`

/** The sort key of a message. */
export const sortKey = (sessionId: string, turn: number, kind: MessageKind) =>
  turnPrefix(sessionId, turn) + kindCodes[kind]

/** @throws Error when the row's key is not one of ours */
export function parseKey({ SK }: Record<string, unknown>): Pick<StoredMessage, 'turn' | 'kind'> {
  const found = /#(\d{6})#([123])$/.exec(String(SK))
  if (!found) throw new Error('a message row has a key of another form')
  return { turn: Number(found[1]), kind: kindsByCode[found[2] as keyof typeof kindsByCode] }
}

/** @returns the message of a row */
export const fromRow = (item: Record<string, unknown>): StoredMessage => {
  const { transcript_run: transcriptRun, imported } = item
  const { data: knownCut } = cut.safeParse(item['cut'])
  return {
    ...messageSchema.parse(item),
    ...parseKey(item),
    ...(typeof transcriptRun === 'string' && { transcript_run: transcriptRun }),
    ...(knownCut && { cut: knownCut }),
    ...(imported === true && { imported }),
  }
}

/** @returns the row of a message */
export const toMessageItem = (sub: string, { turn, kind, ...fields }: StoredMessage) => ({
  PK: `U#${sub}`,
  SK: sortKey(fields.session_id, turn, kind),
  ...fields,
})

/** Whether a reply has anything that can be shown or continued; one that was stopped may have nothing. */
export const hasContent = ({
  content,
  tool_calls,
  attachments,
}: Pick<Message, 'content' | 'tool_calls' | 'attachments'>): boolean =>
  content !== '' || tool_calls.length > 0 || attachments.length > 0

/**
 * A stopped reply is one message. The line that earlier releases stored after it is left out; without a reply it stands for one.
 * @param before cursor of what precedes these messages
 */
export function joinStops(messages: readonly StoredMessage[], before?: string): StoredMessage[] {
  const replied = new Set(messages.filter(({ kind }) => kind === 'reply').map(({ turn }) => turn))
  return messages.flatMap((message) => {
    if (message.kind !== 'stop') return [message]
    const hasReply = replied.has(message.turn) || before === formatCursor({ ...message, kind: 'reply' })
    return hasReply ? [] : [{ ...message, content: '', ended: 'stopped' as const }]
  })
}

/** The cursor for messages before or after this one. */
export const formatCursor = ({ turn, kind }: Pick<StoredMessage, 'turn' | 'kind'>) =>
  `${String(turn).padStart(6, '0')}#${kindCodes[kind]}`
