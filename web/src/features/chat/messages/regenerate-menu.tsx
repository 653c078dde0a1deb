import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { useConfig } from '../../../lib/config.ts'
import { useOfferedModels } from '../composer/use-offered-models.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { Conversation } from '../state/conversation.ts'

/** Sends the last message again to another model, which is then also chosen for the next replies. Renders nothing without a choice. */
export function RegenerateMenu({
  conversation,
  message,
  onResend,
}: {
  conversation: Conversation
  message: ChatMessage
  onResend: Conversation['resend']
}) {
  const models = useOfferedModels(useConfig()?.models ?? [])
  if (models.length < 2) return null
  const hasImages = message.attachments.some(({ type }) => type.startsWith('image/'))
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton size="sm" label={t`Answer with another model`} icon={<ChevronDown size={16} />} />
      </MenuTrigger>
      <MenuContent align="start">
        {models.map(({ id, name, vision }) => (
          <MenuItem
            key={id}
            onSelect={() => {
              conversation.choose({ model: id, effort: undefined })
              onResend(message.id, message.content)
            }}
          >
            <span className="min-w-0 flex-1 break-words">{name}</span>
            {hasImages && vision === false && <span className="text-xs text-ink-faint">{t`Text only`}</span>}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
