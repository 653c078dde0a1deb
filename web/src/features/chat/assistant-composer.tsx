import { t } from '@lingui/core/macro'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { PageComposer, usePageChat } from './page-composer.tsx'
import type { ChatUser } from './use-conversations.ts'

/** The composer and the starters on the page of an assistant: a message, or one click, starts a conversation with it. */
export function AssistantComposer({
  assistant: { id, name, starters, model, effort, disabled_tools: disabledTools = [] },
  ...user
}: ChatUser & { assistant: Assistant }) {
  const chat = usePageChat(user, id, { assistant: { id, name, model, effort, disabledTools } })
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
