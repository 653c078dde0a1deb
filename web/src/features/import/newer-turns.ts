import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import type { BuiltConversation } from './build-conversation.ts'

type RequestConversation = RouteRequest<'imports.add'>['conversations'][number]

/** When the messages of a turn were written, as the service takes it. */
interface TurnTimes {
  user_at?: string
  reply_at?: string
}
const findNewestTime = ({ user_at = '', reply_at = '' }: TurnTimes) =>
  user_at > reply_at ? user_at : reply_at

/** When the messages of each turn were written. */
function listTimes({ messages }: Pick<BuiltConversation, 'messages'>): Map<number, TurnTimes> {
  const times = new Map<number, TurnTimes>()
  for (const { turn, role, created_at } of messages)
    times.set(turn, { ...times.get(turn), [role === 'user' ? 'user_at' : 'reply_at']: created_at })
  return times
}

/** Whether all messages have the moment of the import or of the export as their time: nothing says which of them are newer. */
const isUndated = ({ created_at: createdAt, updated_at: updatedAt, messages }: BuiltConversation) =>
  createdAt === updatedAt && messages.every(({ created_at: at }) => at === createdAt)

/** Whether a conversation has messages that the service does not have. @param until the time of the last message that it has */
export const hasNewer = (conversation: BuiltConversation, until: string): boolean =>
  !isUndated(conversation) && conversation.messages.some(({ created_at: at }) => at > until)

/** The conversation with only the turns that have a message which is newer than `until`, the oldest first: each comes after what it follows. */
export function pickNewer(conversation: BuiltConversation, until: string): BuiltConversation {
  const times = listTimes(conversation)
  const findTime = (turn: number) => findNewestTime(times.get(turn) ?? {})
  return {
    ...conversation,
    messages: conversation.messages
      .filter(({ turn }) => findTime(turn) > until)
      .sort((a, b) => findTime(a.turn).localeCompare(findTime(b.turn)) || a.turn - b.turn),
  }
}

/** Names the turns that those of a part follow, and the one that is shown, by the times of their messages. */
export function addKnownTurns(
  part: RequestConversation,
  conversation: BuiltConversation,
): RequestConversation {
  const times = listTimes(conversation)
  const { forks = [], turns, head = turns } = conversation
  const findPrevious = (turn: number) => (forks.find((fork) => fork.turn === turn)?.version_of ?? turn) - 1
  const sent = new Set(part.messages.map(({ turn }) => turn))
  const named = new Set([...[...sent].map(findPrevious), head])
  return {
    ...part,
    known_turns: [...named].flatMap((turn) => {
      const turnTimes = times.get(turn)
      return turnTimes && !sent.has(turn) ? [{ turn, ...turnTimes }] : []
    }),
  }
}
