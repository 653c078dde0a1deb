import { t } from '@lingui/core/macro'
import {
  Archive,
  ArchiveRestore,
  Braces,
  Ellipsis,
  FileText,
  FileType,
  FolderInput,
  Link,
  Pencil,
  Pin,
  PinOff,
  Printer,
} from 'lucide-react'
import type { RefObject } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../components/ui/menu.tsx'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import type { ConversationActions } from './conversation-actions.ts'

interface ConversationMenuProps {
  conversation: Session
  actions: ConversationActions
  /** the button that opens the menu */
  button: RefObject<HTMLButtonElement | null>
  buttonClass: string
  /** shows the field for its title */
  onEditTitle: () => void
}

/** The button of a row with the menu of what can be done with its conversation. */
export function ConversationMenu({
  conversation,
  actions,
  button,
  buttonClass,
  onEditTitle,
}: ConversationMenuProps) {
  const { onFlag, onShare, onMove, onPrint, onExport, onExportWord } = actions
  const { id, pinned = false, archived = false } = conversation
  const title = formatConversationTitle(conversation.title)
  const findOpener = () => button.current
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton
          ref={button}
          size="sm"
          label={t`More for ${title}`}
          tooltip={false}
          icon={<Ellipsis size={16} />}
          className={buttonClass}
        />
      </MenuTrigger>
      <MenuContent
        onCloseAutoFocus={(event) => {
          // the row shows the field for its title instead, which has the focus
          if (!button.current) event.preventDefault()
        }}
      >
        <MenuItem icon={<Pencil aria-hidden size={16} />} onSelect={onEditTitle}>
          {t`Rename`}
        </MenuItem>
        {onShare && (
          <MenuItem icon={<Link aria-hidden size={16} />} onSelect={() => onShare(conversation, findOpener)}>
            {t`Share`}
          </MenuItem>
        )}
        <MenuItem
          icon={<FolderInput aria-hidden size={16} />}
          onSelect={() => onMove(conversation, findOpener)}
        >
          {t`Move to project…`}
        </MenuItem>
        {!archived && (
          <MenuItem
            icon={pinned ? <PinOff aria-hidden size={16} /> : <Pin aria-hidden size={16} />}
            onSelect={() => onFlag(conversation, { pinned: !pinned })}
          >
            {pinned ? t`Unpin` : t`Pin`}
          </MenuItem>
        )}
        <MenuItem
          icon={archived ? <ArchiveRestore aria-hidden size={16} /> : <Archive aria-hidden size={16} />}
          onSelect={() => onFlag(conversation, { archived: !archived })}
        >
          {archived ? t`Restore` : t`Archive`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Printer aria-hidden size={16} />} onSelect={() => onPrint(conversation, findOpener)}>
          {t`Print or save as PDF…`}
        </MenuItem>
        <MenuItem icon={<FileType aria-hidden size={16} />} onSelect={() => onExportWord(conversation)}>
          {t`Export as Word`}
        </MenuItem>
        <MenuItem icon={<FileText aria-hidden size={16} />} onSelect={() => onExport(id, 'markdown')}>
          {t`Export as Markdown`}
        </MenuItem>
        <MenuItem icon={<Braces aria-hidden size={16} />} onSelect={() => onExport(id, 'json')}>
          {t`Export as JSON`}
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
