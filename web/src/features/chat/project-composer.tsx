import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ProjectSummary } from '#shared/contracts/projects.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { useBrand } from '../../lib/config.ts'
import { projectDraft } from '../../lib/drafts.ts'
import { readLastModel } from '../../lib/last-model.ts'
import { sameChatState } from '../../lib/new-chat.ts'
import { Composer } from './composer/composer.tsx'
import { ComposerChoices } from './composer/composer-choices.tsx'
import { useComposerDraft } from './composer/use-composer-draft.ts'
import { useConversationState, type Conversation } from './state/conversation.ts'
import type { Choice } from './state/conversation-parts.ts'
import { useConversations, type ChatUser } from './use-conversations.ts'

/** The composer on the page of a project: a message starts a conversation in it, and leads there. */
export function ProjectComposer({ project, ...user }: ChatUser & { project: ProjectSummary }) {
  const { assistantName } = useBrand()
  const navigate = useNavigate()
  const conversations = useConversations(user)
  const [conversation] = useState(() => conversations.getProjectChat(project.id))
  // the cache keeps what is observed
  useQuery({ ...conversation.query, notifyOnChangeProps: [] })
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const hasBegun = useConversationState(conversation, ({ messages }) => messages.length > 0)
  const draft = useComposerDraft(user.userId, projectDraft(project.id), isTemporary)
  useProjectDefaults(conversation, project)
  useLayoutEffect(() => {
    // also when its uploads have ended after Send was pressed
    if (hasBegun)
      void navigate(conversations.openProjectChat(conversation), { flushSync: true, state: sameChatState })
  }, [hasBegun, conversations, conversation, navigate])
  const send = useCallback(
    (text: string, attachments: readonly Attachment[]) => conversation.messageQueue.submit(text, attachments),
    [conversation],
  )
  const choices = useMemo(
    () => <ComposerChoices conversation={conversation} uploadQueue={draft.uploadQueue} />,
    [conversation, draft.uploadQueue],
  )
  return (
    <section aria-label={t`Your message`}>
      <Composer
        assistantName={assistantName}
        placeholder={t`Ask about ${project.name}…`}
        conversation={conversation}
        {...draft}
        onSend={send}
        choices={choices}
      />
    </section>
  )
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
    const given = givenByChat.get(conversation)
    const give = (index: number, defaults: unknown, chosen: unknown, choice: () => Choice): Given => {
      const before = given?.[index]
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
