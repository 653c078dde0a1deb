import type { AssistantReader, Member } from '../assistants/assistant-reader.ts'
import { isOwnAssistant } from '../assistants/own-assistant.ts'
import type { ConversationRepository } from '../conversations/store/conversation-repository.ts'
import type { ProjectRepository } from '../projects/project-repository.ts'

export interface AppConversationDeps {
  conversations: Pick<ConversationRepository, 'find'>
  projects: Pick<ProjectRepository, 'find'>
  assistants: Pick<AssistantReader, 'find'>
}

/**
 * Whether calls of an app may run unasked where the user has always allowed their tool: in a stored conversation of the user, without
 * instructions of somebody else, whose texts could have led to the app. The rule is the one of replies (`loadPrompt`). What is not known
 * is not trusted: a temporary chat, a conversation of another user, an assistant that is gone.
 */
export async function mayRunUnasked(
  { conversations, projects, assistants }: AppConversationDeps,
  user: Member,
  sessionId: string | undefined,
): Promise<boolean> {
  const session = sessionId === undefined ? undefined : await conversations.find(user.sub, sessionId)
  if (session === undefined || session === 'deleted') return false
  const [assistant, project] = await Promise.all([
    session.assistant && assistants.find(user, session.assistant.id),
    session.project_id === undefined ? undefined : projects.find(user.sub, session.project_id),
  ])
  const isOwn =
    session.assistant === undefined || (assistant !== undefined && isOwnAssistant(assistant, user.sub))
  return isOwn && project?.copied_from === undefined
}
