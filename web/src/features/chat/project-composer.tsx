import { t } from '@lingui/core/macro'
import { useEffectEvent, useLayoutEffect } from 'react'
import type { ProjectSummary } from '#shared/contracts/projects.ts'
import { readLastModel } from '../../lib/conversations/last-model.ts'
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

/** A default of a project that was applied to a chat, both parts as JSON. */
interface AppliedDefault {
  /** the project's setting */
  setting: string
  /** what the chat was given for it; compared with what the chat has now, to see whether the user has chosen something else */
  choice: string
}

interface AppliedDefaults {
  model: AppliedDefault
  tools: AppliedDefault
}

/** By the chat, which outlives the page of its project. */
const appliedDefaults = new WeakMap<Conversation, AppliedDefaults>()

/**
 * Applies a default to a chat, unless it was applied before or the user has chosen something else since.
 * @param current what the chat has now
 * @param toChoice called only to apply the default
 */
function applyDefault(
  conversation: Conversation,
  before: AppliedDefault | undefined,
  setting: string,
  current: Choice,
  toChoice: () => Choice,
): AppliedDefault {
  if (before?.setting === setting) return before
  const hasUserChosen = before !== undefined && before.choice !== JSON.stringify(current)
  if (hasUserChosen) return { ...before, setting }
  const choice = toChoice()
  conversation.choose(choice)
  return { setting, choice: JSON.stringify(choice) }
}

/**
 * Applies the model and tools of its project to a chat; without a model, the one that was used last in this browser. What the user has
 * chosen instead stays, also when the project's settings change.
 */
function useProjectDefaults(
  conversation: Conversation,
  { model, effort, disabled_tools: disabledTools = [] }: ProjectSummary,
): void {
  const modelSetting = JSON.stringify([model, effort])
  const toolsSetting = JSON.stringify(disabledTools)
  const applyAll = useEffectEvent(() => {
    const state = conversation.getState()
    const before = appliedDefaults.get(conversation)
    // the model picker drops a model that is not offered, which is no choice of the user
    const modelBefore = state.model === undefined ? undefined : before?.model
    const currentModel = { model: state.model, effort: state.effort }
    const currentTools = { disabledTools: state.disabledTools }
    appliedDefaults.set(conversation, {
      model: applyDefault(conversation, modelBefore, modelSetting, currentModel, () =>
        model === undefined ? readLastModel() : { model, effort },
      ),
      tools: applyDefault(conversation, before?.tools, toolsSetting, currentTools, () => ({ disabledTools })),
    })
  })
  // a layout effect, so that no frame shows the defaults from before
  useLayoutEffect(() => applyAll(), [conversation, modelSetting, toolsSetting])
}
