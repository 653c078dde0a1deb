import { t } from '@lingui/core/macro'
import { useLayoutEffect } from 'react'
import type { ProjectSummary } from '#shared/contracts/projects.ts'
import { readLastModel } from '../../lib/last-model.ts'
import { PageComposer, usePageChat } from './page-composer.tsx'
import type { Conversation } from './state/conversation.ts'
import type { Choice } from './state/conversation-parts.ts'
import type { ChatUser } from './use-conversations.ts'

/** The composer on the page of a project: a message starts a conversation in it, and leads there. */
export function ProjectComposer({ project, ...user }: ChatUser & { project: ProjectSummary }) {
  const chat = usePageChat(user, project.id, { projectId: project.id })
  useProjectDefaults(chat.conversation, project)
  return <PageComposer chat={chat} placeholder={t`Ask about ${project.name}…`} />
}

/** What a chat was given, with the defaults of its project that it comes from. */
interface Given {
  defaults: string
  values: string
}
const givenByChat = new WeakMap<Conversation, readonly Given[]>()

/**
 * Gives a chat the model and tools of its project; without a model, the one that was used last. What the user has chosen instead stays,
 * also when the project changes.
 */
function useProjectDefaults(
  conversation: Conversation,
  { model, effort, disabled_tools: disabledTools = [] }: ProjectSummary,
): void {
  useLayoutEffect(() => {
    const state = conversation.getState()
    const givenChoices = givenByChat.get(conversation)
    const give = (index: number, defaults: unknown, chosen: unknown, choice: () => Choice): Given => {
      const before = givenChoices?.[index]
      const next = { defaults: JSON.stringify(defaults), values: before?.values ?? '' }
      if (before?.defaults === next.defaults) return before
      if (before && before.values !== JSON.stringify(chosen)) return next
      const values = choice()
      conversation.choose(values)
      return { ...next, values: JSON.stringify(values) }
    }
    givenByChat.set(conversation, [
      give(0, [model, effort], { model: state.model, effort: state.effort }, () =>
        model === undefined ? readLastModel() : { model, effort },
      ),
      give(1, disabledTools, { disabledTools: state.disabledTools }, () => ({ disabledTools })),
    ])
  })
}
