import { sayChat } from '#shared/sentences/chat.ts'
import { assistantGone, assistantUpdated } from '#shared/chat-texts.ts'
import type { ChatRequest, DisabledTool, ReplyNotice } from '#shared/contracts/chat.ts'
import type { ConversationAssistant } from '#shared/contracts/messages.ts'
import type { AssistantHead, Member } from '../assistants/assistant-reader.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import { BadRequest } from '../platform/errors.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { loadTurn } from '../conversations/turns/load-turn.ts'
import type { StoredConversation } from '../conversations/store/conversation-repository.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { ProjectNotFound } from '../projects/errors.ts'
import type { ChosenModel } from './model/model-list.ts'
import { openAssistant } from './open-assistant.ts'
import { resolveAttachments } from './prompt/resolve-attachments.ts'
import type { PromptMessage } from './prompt/prompt.ts'
import { transcriptFactor } from './prompt/transcript.ts'
import type { Reservation } from './reply-budget.ts'
import { loadUserContext, type ReplyAssistant, type ReplyDeps } from './reply.ts'

export type SendCall = ValidRequest<'chat.send'>

export interface SendMessageDeps extends ReplyDeps {
  stores: ConversationStores
  reservation: Reservation
  /** reads the model's key, which is cached for minutes */
  readKey: () => Promise<string>
}

/** The incomplete reply at the end of a request that continues it. */
function findPartialReply({ messages, continues }: Pick<ChatRequest, 'messages' | 'continues'>) {
  const last = messages.at(-1)
  return continues && last?.role === 'assistant' ? { content: last.content } : undefined
}

/** Finds the message to reply to. @throws BadRequest when the last message is not a user message with text or files */
function findUserMessage(request: ChatRequest) {
  const last = request.messages.at(findPartialReply(request) ? -2 : -1)
  if (last?.role !== 'user') throw new BadRequest(sayChat('bad_request.not_of_user'))
  if (last.content.trim() === '' && !last.attachments?.length)
    throw new BadRequest(sayChat('bad_request.empty_message'))
  return last
}

/** Loads a stored conversation, and the transcripts of its newest replies: finding out first whether they are needed would take a round trip. */
function loadConversation(
  { stores, models: { historyLimits } }: SendMessageDeps,
  sub: string,
  { sessionId, messageId = crypto.randomUUID(), replaces }: ChatRequest,
) {
  if (sessionId === undefined) return undefined
  const loading = stores.transcripts.loadNewest(
    sub,
    sessionId,
    historyLimits.maxCharacters * transcriptFactor,
  )
  // whoever waits for it gets the error
  loading.catch(() => undefined)
  const request = { sub, sessionId, messageId, replaces, historyLimits }
  return loadTurn(stores, request).then((state) => ({ request, state, transcripts: loading }))
}

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
 * @throws AssistantNotFound in a new conversation
 */
async function followAssistant(
  { assistants }: Pick<SendMessageDeps, 'assistants'>,
  user: Member,
  {
    session,
    named,
    wanted,
  }: {
    session: StoredConversation | undefined
    named: AssistantHead | undefined
    wanted: string | undefined
  },
): Promise<FollowedAssistant> {
  const known = session?.assistant
  if (session && !known) return {}
  if (!known && wanted === undefined) return {}
  const head = !known || known.id === wanted ? named : await assistants.find(user, known.id)
  if (!head && !known) {
    const { AssistantNotFound } = await import('../assistants/errors.ts')
    throw new AssistantNotFound(`no assistant ${wanted} for the caller`)
  }
  if (!head)
    return known
      ? { stored: { ...known, gone: true }, ...(!known.gone && { notice: assistantGone(known.name) }) }
      : {}
  const { id, name, version, model, effort } = head
  const isNew = known?.version !== version || known.gone === true
  return {
    stored: { id, name, version },
    reply: openAssistant(assistants, user, head, version),
    ...(isNew && model !== undefined && { choice: { model, effort } }),
    ...(!session && { disabledTools: head.disabled_tools }),
    ...(isNew && known && { notice: assistantUpdated(name) }),
  }
}

/**
 * Loads what a message is answered from, beside rate limits and budget: its files, its conversation, its user, its project and its assistant.
 * @throws BadRequest, AttachmentNotFound, AttachmentUnfinished, ProjectNotFound, AssistantNotFound, the errors of rate limits and budgets
 */
export async function loadRequest({ user: caller, body, guard }: SendCall, deps: SendMessageDeps) {
  const { sub } = caller
  const message = findUserMessage(body)
  const { files } = deps.fileDeps
  const isStored = body.sessionId !== undefined && body.keep !== false
  const [, attachments, conversation, user, project, named] = await waitForAll([
    guard(deps.reservation.admit),
    resolveAttachments(files, sub, message.attachments, isStored ? 'refused' : 'by text'),
    loadConversation(deps, sub, body),
    loadUserContext(deps, sub),
    body.project_id === undefined ? undefined : deps.projects.find(sub, body.project_id),
    body.assistant_id === undefined ? undefined : deps.assistants.find(caller, body.assistant_id),
    // warms its cache; if it cannot be read, the request to the model fails with the error
    deps.readKey().catch(() => undefined),
  ])
  const session = conversation?.state.session
  // a conversation has the project that it was moved to since
  if (!session && body.project_id !== undefined && !project)
    throw new ProjectNotFound(`no project ${body.project_id}`)
  const assistant = await followAssistant(deps, caller, { session, named, wanted: body.assistant_id })
  const defaults = session ?? project
  return {
    message,
    /** the incomplete reply that the request continues, as the page has it */
    partialReply: findPartialReply(body),
    attachments,
    conversation,
    user,
    projectId: session ? session.project_id : project?.id,
    assistant,
    choice: deps.models.choose(body, assistant.choice ?? defaults ?? {}),
    disabledTools: body.disabledTools ?? assistant.disabledTools ?? defaults?.disabled_tools,
    /** the messages of the request: a conversation that is not stored is sent whole each time */
    async loadHistory(): Promise<PromptMessage[]> {
      const before = body.messages.slice(0, body.messages.lastIndexOf(message))
      const history = before.map(async ({ role, content, attachments: sent }) => ({
        role,
        content,
        attachments: await resolveAttachments(files, sub, sent, 'by name'),
      }))
      return [
        ...(await waitForAll(history)),
        { role: 'user', content: message.content, attachments: [...(attachments ?? [])] },
      ]
    },
  }
}
