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
