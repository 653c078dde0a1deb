import { t } from '@lingui/core/macro'
import { useLayoutEffect } from 'react'
import type { ProjectSummary } from '#shared/contracts/projects.ts'
import { readLastModel } from '../../lib/last-model.ts'
import { PageComposer, usePageChat } from './page-composer.tsx'
import type { Conversation } from './state/conversation.ts'
import type { Choice } from './state/conversation-parts.ts'
import type { ChatUser } from './use-conversations.ts'

/** The composer on the page of a project. A message begins a conversation in the project and opens it. */
export function ProjectComposer({ project, ...user }: ChatUser & { project: ProjectSummary }) {
  const chat = usePageChat(user, project.id, { projectId: project.id })
  useProjectDefaults(chat.conversation, project)
  return <PageComposer chat={chat} placeholder={t`Ask about ${project.name}…`} />
}

/** Defaults of a project that were applied to a chat, both parts as JSON. */
interface AppliedDefaults {
  /** the project's setting */
  defaults: string
  /** what the chat was given for it; compared with what the chat has now, to see whether the user has chosen something else */
  values: string
}
/** For the model, and for the tools. */
const appliedDefaults = new WeakMap<Conversation, readonly AppliedDefaults[]>()

/**
 * Applies the model and tools of its project to a chat; without a model, the one that was used last in this browser. What the user has
 * chosen instead stays, also when the project's settings change.
 */
function useProjectDefaults(
  conversation: Conversation,
  { model, effort, disabled_tools: disabledTools = [] }: ProjectSummary,
): void {
  useLayoutEffect(() => {
    const state = conversation.getState()
    const appliedBefore = appliedDefaults.get(conversation)
    const apply = (
      index: number,
      defaults: unknown,
      current: Choice,
      toChoice: () => Choice,
    ): AppliedDefaults => {
      const before = appliedBefore?.[index]
      const next = { defaults: JSON.stringify(defaults), values: before?.values ?? '' }
      if (before?.defaults === next.defaults) return before
      const hasUserChosen = before !== undefined && before.values !== JSON.stringify(current)
      if (hasUserChosen) return next
      const choice = toChoice()
      conversation.choose(choice)
      return { ...next, values: JSON.stringify(choice) }
    }
    appliedDefaults.set(conversation, [
      apply(0, [model, effort], { model: state.model, effort: state.effort }, () =>
        model === undefined ? readLastModel() : { model, effort },
      ),
      apply(1, disabledTools, { disabledTools: state.disabledTools }, () => ({ disabledTools })),
    ])
  })
}
