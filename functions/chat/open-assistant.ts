import { assistantGone, assistantOfTemporaryChatGone, assistantUpdated } from '#shared/chat-texts.ts'
import type { DisabledTool, ReplyNotice } from '#shared/contracts/chat.ts'
import type { ConversationAssistant } from '#shared/contracts/messages.ts'
import type { AssistantHead, Member } from '../assistants/assistant-reader.ts'
import { isOwnAssistant } from '../assistants/own-assistant.ts'
import type { StoredConversation } from '../conversations/store/conversation-row.ts'
import type { ChosenModel } from './model-list.ts'
import type { ReplyAssistant, ReplyDeps } from './reply.ts'

/**
 * Begins to load a version of an assistant, beside the other work of the start. One that is gone by now is replaced by the newest.
 * @param head as it was just read
 */
export function openAssistant(
  assistants: ReplyDeps['assistants'],
  user: Member,
  head: AssistantHead,
  version: number,
): ReplyAssistant {
  async function load(): ReplyAssistant['content'] {
    const found = await assistants.loadVersion(head.id, version)
    if (found) return { head, version, content: found }
    const current = await assistants.find(user, head.id)
    const newest = current && (await assistants.loadVersion(head.id, current.version))
    return current && newest && { head: current, version: current.version, content: newest }
  }
  const content = load()
  // whoever waits for it gets the error
  content.catch(() => undefined)
  return { name: head.name, isMine: isOwnAssistant(head, user.sub), content }
}

/** Stands for the assistant of a conversation that goes on without it: whose it was is not known any more, and its words are still there. */
export const goneAssistant = (name: string): ReplyAssistant => ({
  name,
  isMine: false,
  isKnownGone: true,
  content: Promise.resolve(undefined),
})

/** What a message has of the assistant of its conversation; nothing without one. */
interface FollowedAssistant {
  /** what the conversation remembers of it from now on */
  stored?: ConversationAssistant
  reply?: ReplyAssistant
  /** the model of a version that is new to the conversation, and what it may not use at first */
  choice?: ChosenModel | undefined
  disabledTools?: readonly DisabledTool[] | undefined
  notice?: ReplyNotice
}

/**
 * Follows an assistant to its newest version. Where it is not there any more for the user, the conversation goes on without.
 * @param named the assistant that the request names, if it is there for the user
 * @param hasReplies whether the request brings earlier replies: those of a temporary chat, of which nothing is stored
 * @throws AssistantNotFound in a new conversation
 */
export async function followAssistant(
  { assistants }: Pick<ReplyDeps, 'assistants'>,
  user: Member,
  {
    session,
    named,
    wanted,
    hasReplies,
  }: {
    session: StoredConversation | undefined
    named: AssistantHead | undefined
    wanted: string | undefined
    hasReplies: boolean
  },
): Promise<FollowedAssistant> {
  const known = session?.assistant
  if (session && !known) return {}
  if (!known && wanted === undefined) return {}
  const head = !known || known.id === wanted ? named : await assistants.find(user, known.id)
  if (!head && !known && hasReplies) return { notice: assistantOfTemporaryChatGone }
  if (!head && !known) {
    const { AssistantNotFound } = await import('../assistants/errors.ts')
    throw new AssistantNotFound(`no assistant ${wanted} for the caller`)
  }
  if (!head)
    return known
      ? {
          stored: { ...known, gone: true },
          reply: goneAssistant(known.name),
          ...(!known.gone && { notice: assistantGone(known.name) }),
        }
      : {}
  const { id, name, version, model, effort, news } = head
  const isNew = known?.version !== version || known.gone === true
  return {
    stored: { id, name, version },
    reply: openAssistant(assistants, user, head, version),
    ...(isNew && model !== undefined && { choice: { model, effort } }),
    ...(!session && { disabledTools: head.disabled_tools }),
    ...(isNew && known && { notice: assistantUpdated(name, version > known.version ? news : undefined) }),
  }
}
