import { ChevronDown } from 'lucide-react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { useConfig } from '../../../lib/config.ts'
import * as modelTexts from '../composer/model-texts.ts'
import { useAllowedModels } from '../composer/use-allowed-models.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { Conversation } from '../state/conversation.ts'
import * as texts from './texts.tsx'

/** Sends the last message again to another model, which is chosen for the next replies, too. Nothing where there is one model. */
export function RegenerateMenu({
  conversation,
  message,
  onResend,
}: {
  conversation: Conversation
  message: ChatMessage
  onResend: (messageId: string, text: string) => boolean
}) {
  const models = useAllowedModels(useConfig()?.models ?? [])
  if (models.length < 2) return null
  const hasImages = message.attachments.some(({ type }) => type.startsWith('image/'))
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton size="sm" label={texts.regenerateWith} icon={<ChevronDown size={16} />} />
      </MenuTrigger>
      <MenuContent align="start">
        {models.map(({ id, name, vision }) => (
          <MenuItem
            key={id}
            className="h-auto! min-h-9 py-1 max-sm:min-h-11"
            onSelect={() => {
              conversation.choose({ model: id, effort: undefined })
              onResend(message.id, message.content)
            }}
          >
            <span className="min-w-0 flex-1 break-words">{name}</span>
            {hasImages && vision === false && (
              <span className="text-xs text-ink-faint">{modelTexts.noVision}</span>
            )}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
