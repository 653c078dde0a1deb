import { t } from '@lingui/core/macro'
import { useLayoutEffect } from 'react'
import type { ProjectSummary } from '#shared/contracts/projects.ts'
import { readLastModel } from '../../lib/last-model.ts'
import { PageComposer, usePageChat } from './page-composer.tsx'
import type { Conversation } from './state/conversation.ts'
import type { ChatUser } from './use-conversations.ts'

/** The composer on the page of a project: a message starts a conversation in it, and leads there. */
export function ProjectComposer({ project, ...user }: ChatUser & { project: ProjectSummary }) {
  const chat = usePageChat(user, project.id, { projectId: project.id })
  useProjectDefaults(chat.conversation, project)
  return <PageComposer chat={chat} placeholder={t`Ask about ${project.name}…`} />
}

/** The defaults that a chat has begun with: what the user chooses instead stays. */
const appliedDefaults = new WeakMap<Conversation, string>()

/** Gives a chat the model and tools of its project; without a model, the one that was used last. */
function useProjectDefaults(
  conversation: Conversation,
  { model, effort, disabled_tools: disabledTools = [] }: ProjectSummary,
): void {
  const defaults = JSON.stringify([model, effort, disabledTools])
  useLayoutEffect(() => {
    if (appliedDefaults.get(conversation) === defaults) return
    appliedDefaults.set(conversation, defaults)
    conversation.choose(model === undefined ? readLastModel() : { model, effort })
    conversation.choose({ disabledTools })
  })
}
