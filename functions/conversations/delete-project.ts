import { projectUse } from '../files/file-row.ts'
import type { ProjectRepository } from '../projects/project-repository.ts'
import type { AssistantRepository } from '../assistants/assistant-repository.ts'
import type { PromptRepository } from '../projects/prompt-repository.ts'
import { changeConversation } from './change-conversation.ts'
import { deleteConversations } from './delete-conversation.ts'
import { ConversationNotFound } from './store/errors.ts'
import type { ConversationStores } from './store/conversation-stores.ts'

const ignoreMissing = (error: unknown) => {
  // deleted meanwhile
  if (!(error instanceof ConversationNotFound)) throw error
}

/**
 * Deletes a project. Its assistant is withdrawn, its conversations come next, then its prompts and the files that nothing else uses; its
 * row is last, so that an interrupted deletion can be repeated.
 * @param keepsConversations whether its conversations stay, without a project
 * @returns false when the time was over first
 * @throws ProjectNotFound, ObjectStoreUnavailable
 */
export async function deleteProject(
  stores: ConversationStores & {
    projects: ProjectRepository
    prompts: PromptRepository
    assistants: Pick<AssistantRepository, 'findOwned' | 'withdraw'>
  },
  sub: string,
  {
    projectId,
    keepsConversations,
    isTimeUp,
  }: { projectId: string; keepsConversations: boolean; isTimeUp: () => boolean },
): Promise<boolean> {
  const { conversations, files, projects, prompts, assistants } = stores
  await projects.require(sub, projectId)
  const id = await assistants.findOwned(sub, projectId)
  if (id !== undefined) await assistants.withdraw({ id, publisher: sub, project_id: projectId }, 'publisher')
  const sessionIds = await conversations.listIdsOfProject(sub, projectId)
  if (keepsConversations)
    for (const id of sessionIds) {
      if (isTimeUp()) return false
      await changeConversation(stores, sub, id, { project_id: null }).catch(ignoreMissing)
    }
  else if ((await deleteConversations(stores, { sub, sessionIds }, isTimeUp)).remaining > 0) return false
  await stores.schedules.pause(sub, { projectId })
  await prompts.removeOfProject(sub, projectId)
  await files.deleteConversationFiles(sub, [projectUse(projectId)])
  await projects.remove(sub, projectId)
  return true
}
