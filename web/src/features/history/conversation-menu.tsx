import { t } from '@lingui/core/macro'
import {
  Archive,
  ArchiveRestore,
  Braces,
  Download,
  Ellipsis,
  FileText,
  FileType,
  FolderInput,
  Link,
  Pencil,
  Pin,
  PinOff,
  Printer,
  Trash2,
} from 'lucide-react'
import { useState, type RefObject } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../components/ui/menu.tsx'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import type { ConversationActions } from './conversation-actions.ts'

interface ConversationMenuProps {
  conversation: Session
  actions: ConversationActions
  /** the button that opens the menu */
  button: RefObject<HTMLButtonElement | null>
  /** shows the field for its title */
  onEditTitle: () => void
  onOpenChange: (isOpen: boolean) => void
}

/** The button of a row with the menu of what can be done with its conversation. */
export function ConversationMenu({
  conversation,
  actions,
  button,
  onEditTitle,
  onOpenChange,
}: ConversationMenuProps) {
  const { onFlag, onShare, onMove, onDelete } = actions
  const [isExporting, setExporting] = useState(false)
  const { pinned = false, archived = false } = conversation
  const title = formatConversationTitle(conversation.title)
  const findOpener = () => button.current
  return (
    <Menu
      onOpenChange={(isOpen) => {
        if (isOpen) setExporting(false)
        onOpenChange(isOpen)
      }}
    >
      <MenuTrigger asChild>
        <IconButton
          ref={button}
          size="sm"
          tabIndex={-1}
          label={t`More for ${title}`}
          tooltip={false}
          icon={<Ellipsis size={16} />}
        />
      </MenuTrigger>
      <MenuContent
        onCloseAutoFocus={(event) => {
          // the row shows the field for its title instead, which has the focus
          if (!button.current) event.preventDefault()
        }}
      >
        {isExporting ? (
          <ExportItems conversation={conversation} actions={actions} findOpener={findOpener} />
        ) : (
          <>
            <MenuItem icon={<Pencil aria-hidden size={16} />} onSelect={onEditTitle}>
              {t`Rename`}
            </MenuItem>
            {onShare && (
              <MenuItem
                icon={<Link aria-hidden size={16} />}
                onSelect={() => onShare(conversation, findOpener)}
              >
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
            <MenuItem
              icon={<Download aria-hidden size={16} />}
              // the menu stays, with the formats
              onSelect={(event) => {
                event.preventDefault()
                setExporting(true)
              }}
            >
              {t`Export…`}
            </MenuItem>
            <MenuItem icon={<Trash2 aria-hidden size={16} />} onSelect={() => onDelete(conversation)}>
              {t`Delete`}
            </MenuItem>
          </>
        )}
      </MenuContent>
    </Menu>
  )
}

/** The entry that has led here is gone. */
const takeFocus = (item: HTMLElement | null) => item?.focus()

/** The formats in which a conversation can be saved. */
function ExportItems({
  conversation,
  actions,
  findOpener,
}: Pick<ConversationMenuProps, 'conversation' | 'actions'> & { findOpener: () => HTMLElement | null }) {
  const { id } = conversation
  return (
    <>
      <MenuItem
        ref={takeFocus}
        icon={<Printer aria-hidden size={16} />}
        onSelect={() => actions.onPrint(conversation, findOpener)}
      >
        {t`Print or save as PDF…`}
      </MenuItem>
      <MenuItem icon={<FileType aria-hidden size={16} />} onSelect={() => actions.onExportWord(conversation)}>
        {t`Export as Word`}
      </MenuItem>
      <MenuItem icon={<FileText aria-hidden size={16} />} onSelect={() => actions.onExport(id, 'markdown')}>
        {t`Export as Markdown`}
      </MenuItem>
      <MenuItem icon={<Braces aria-hidden size={16} />} onSelect={() => actions.onExport(id, 'json')}>
        {t`Export as JSON`}
      </MenuItem>
    </>
  )
}
