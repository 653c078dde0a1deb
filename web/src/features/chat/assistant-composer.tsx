import { t } from '@lingui/core/macro'
import { useEffectEvent, useLayoutEffect } from 'react'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { PageComposer, usePageChat } from './page-composer.tsx'
import type { Conversation } from './state/conversation.ts'
import type { Choice } from './state/conversation-parts.ts'
import type { ChatUser } from './use-conversations.ts'

/** The composer and the starters on the page of an assistant. A message, or a click on a starter, begins a conversation with it. */
export function AssistantComposer({
  assistant: { id, name, starters, model, effort, disabled_tools: disabledTools = [] },
  ...user
}: ChatUser & { assistant: Assistant }) {
  const choice = { assistant: { id, name, model, effort, disabledTools } }
  const chat = usePageChat(user, id, choice)
  useLatestChoice(chat.conversation, choice)
  return (
    <>
      <PageComposer chat={chat} placeholder={t`Ask ${name}…`} />
      {starters.length > 0 && (
        <div role="group" aria-label={t`Starters`} className="mt-3 flex flex-wrap gap-2">
          {starters.map((text, index) => (
            <button
              key={index}
              type="button"
              dir="auto"
              onClick={() => chat.send(text)}
              className="min-h-9 max-w-full rounded-md px-3 py-1.5 text-start text-ui wrap-anywhere text-ink-muted hairline transition-colors duration-(--duration-fast) hover:bg-surface-hover hover:text-ink max-sm:min-h-11"
            >
              {text}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

/** Updates a chat that has not begun when its assistant has got a new version. The user's own choices are kept apart from the assistant's. */
function useLatestChoice(conversation: Conversation, choice: Choice): void {
  const apply = useEffectEvent(() => conversation.choose(choice))
  const version = JSON.stringify(choice)
  // a layout effect, so that no frame shows the choice of the version before
  useLayoutEffect(() => apply(), [conversation, version])
}
