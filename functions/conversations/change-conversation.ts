import type { Session } from '#shared/contracts/messages.ts'
import type { SessionChanges } from '#shared/contracts/sessions.ts'
import type { ProjectRepository } from '../projects/project-repository.ts'
import type { ConversationRepository } from './store/conversation-repository.ts'

interface Stores {
  conversations: Pick<ConversationRepository, 'find' | 'change'>
  projects: Pick<ProjectRepository, 'find'>
}

/**
 * Changes what the user decides about a conversation. One that leaves a project whose instructions are still those of somebody else's
 * assistant remembers it as an assistant that is gone: its replies followed them, so its calls go on asking.
 * @throws ConversationNotFound
 */
export async function changeConversation(
  { conversations, projects }: Stores,
  sub: string,
  id: string,
  changes: SessionChanges,
): Promise<Session> {
  const found = changes.project_id === undefined ? undefined : await conversations.find(sub, id)
  const former = found === 'deleted' ? undefined : found?.project_id
  const left =
    former === undefined || former === changes.project_id ? undefined : await projects.find(sub, former)
  return conversations.change(sub, id, changes, left?.copied_from)
}
