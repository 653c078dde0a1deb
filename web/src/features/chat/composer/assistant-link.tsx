import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '../../../lib/navigation/router.tsx'
import type { ConversationAssistant } from '#shared/contracts/messages.ts'
import { NameTile } from '../../../components/name-tile.tsx'
import { buttonClass } from '../../../components/ui/button.tsx'
import { assistantsQuery } from '../../../lib/conversations/assistant-queries.ts'
import { assistantPath } from '../../../lib/navigation/paths.ts'

/** The assistant of a conversation as a link to its page. Says so if the assistant is gone. */
export function AssistantLink({
  assistant: { id = '', name = '', version, gone },
}: {
  assistant: Partial<ConversationAssistant>
}) {
  const { data } = useQuery({ ...assistantsQuery, enabled: !gone })
  const picture = data?.assistants.find((one) => one.id === id)?.picture?.url
  if (gone)
    return (
      <span className="mb-1.5 inline-flex min-h-8 items-center gap-1.5 px-2 text-sm text-ink-faint max-sm:min-h-9">
        {t`Goes on without ${{ assistant: name }}`}
      </span>
    )
  return (
    <Link
      to={assistantPath(id)}
      aria-label={
        version === undefined
          ? t`Assistant: ${{ assistant: name }}`
          : t`Assistant: ${{ assistant: name }}, version ${{ version }}`
      }
      className={buttonClass({ variant: 'ghost', size: 'compact', className: 'mb-1.5 max-w-56' })}
    >
      <NameTile name={name} picture={picture} size="xs" />
      <span className="truncate" dir="auto">
        {name}
      </span>
    </Link>
  )
}
