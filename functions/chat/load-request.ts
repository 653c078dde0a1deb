import { sayChat } from '#shared/sentences/chat.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import { BadRequest } from '../platform/errors.ts'
import { requireRight } from '../platform/group-limits.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { loadTurn, type TurnRequest } from '../conversations/turns/load-turn.ts'
import type { User } from '../platform/auth/access-token.ts'
import type { RunSchedule } from '../conversations/store/run.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { ProjectNotFound } from '../projects/errors.ts'
import { followAssistant } from './open-assistant.ts'
import { resolveAttachments } from './prompt/resolve-attachments.ts'
import type { PromptMessage } from './prompt/prompt.ts'
import { transcriptFactor } from './prompt/transcript.ts'
import type { Reservation } from './reply-budget.ts'
import { loadUserContext, type ReplyDeps } from './reply.ts'

/** A message to reply to: a request of its person, or what a schedule sends for them. */
export interface SendCall extends Pick<
  ValidRequest<'chat.send'>,
  'body' | 'guard' | 'requestId' | 'receivedAtMs' | 'remainingMs' | 'log'
> {
  readonly user: Pick<User, 'sub' | 'issuedAt' | 'groups'>
  readonly schedule?: RunSchedule
}

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
  // awaited later; this handler only prevents an `unhandledRejection`
  loading.catch(() => undefined)
  const request = { sub, sessionId, messageId, replaces, historyLimits }
  return loadTurn(stores, request).then((state) => ({ request, state, transcripts: loading }))
}

/**
 * Loads the data of a reply: the message's files, its conversation, user, project and assistant. Checks rate limits and budget at the same
 * time.
 * @throws BadRequest, AttachmentNotFound, AttachmentUnfinished, ProjectNotFound, AssistantNotFound, NotAllowedByGroup, the errors of rate
 * limits and budgets
 */
export async function loadRequest(
  { user: caller, body, guard, schedule, requestId }: SendCall,
  deps: SendMessageDeps,
) {
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
    // fills its cache; if the key cannot be read, the request to the model fails with the error
    deps.readKey().catch(() => undefined),
  ])
  const isSaved = isStored && user.settings.keep_conversations
  if (!isSaved) requireRight(deps.limits ?? {}, 'temporary_chats')
  const session = conversation?.state.session
  // the project of an existing conversation counts, as it may have been moved
  if (!session && body.project_id !== undefined && !project)
    throw new ProjectNotFound(`no project ${body.project_id}`)
  const assistant = await followAssistant(deps, caller, {
    session,
    named,
    wanted: body.assistant_id,
    hasReplies: body.messages.some(({ role }) => role === 'assistant'),
  })
  const defaults = session ?? project
  const choice = deps.models.choose(body, assistant.choice ?? defaults ?? {})
  const common = {
    disabledTools: body.disabledTools ?? assistant.disabledTools ?? defaults?.disabled_tools,
    projectId: session ? session.project_id : project?.id,
  }
  const turn = conversation && {
    ...conversation,
    request: {
      ...conversation.request,
      requestId,
      ...common,
      content: message.content,
      attachments,
      continues: body.continues,
      isTemporary: !isSaved,
      model: choice.model.id,
      effort: choice.effort,
      assistant: assistant.stored,
      schedule,
    } satisfies TurnRequest,
  }
  return {
    ...common,
    user,
    choice,
    assistant,
    /** the turn that a run begins with; undefined for a conversation without an id, of which nothing is stored */
    turn,
    /** the incomplete reply that the request continues, as the page has it */
    partialReply: findPartialReply(body),
    /** the messages of the request: a conversation that is not stored is sent whole each time */
    loadHistory: async (): Promise<PromptMessage[]> => {
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

export type LoadedRequest = Awaited<ReturnType<typeof loadRequest>>
