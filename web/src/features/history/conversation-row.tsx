import { plural, t } from '@lingui/core/macro'
import clsx from 'clsx'
import {
  Trash2,
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
import { memo, useRef, type RefObject } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { useStore } from '../../lib/create-store.ts'
import { formatDateTimeLong } from '../../lib/dates.ts'
import { isFocusLost } from '../../lib/focus-targets.ts'
import { replyingConversations } from '../../lib/replying-conversations.ts'
import { useInput } from '../../lib/use-input.ts'
import { formatConversationTitle } from '../../lib/conversation-title.ts'
import type { ConversationActions } from './conversation-actions.ts'
import { TitleField } from './title-field.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../components/ui/menu.tsx'

interface ConversationRowProps {
  conversation: Session
  isCurrent: boolean
  /** formatted time of the last update */
  lastUpdate: string
  /** of the project that it belongs to */
  projectName: string | undefined
  /** must be stable: rows are memoised */
  actions: ConversationActions
}

/** Rows are laid out only near the screen; the others count as high as a row of two lines. */
const rowLayout = '[content-visibility:auto] [contain-intrinsic-block-size:auto_3.5rem]'

/** Buttons that are shown on hover or focus, and always on touch screens. */
const hiddenUntilHoverClass =
  'relative z-1 opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 group-focus-within/row:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100'

/** One conversation of the list. A click on the row opens it, unless it is open. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  isCurrent,
  lastUpdate,
  projectName,
  actions,
}: ConversationRowProps) {
  const { onSelect, onDelete, onRename } = actions
  const menuButton = useRef<HTMLButtonElement>(null)
  const { id } = conversation
  const title = formatConversationTitle(conversation.title)
  const titleInput = useInput(`title/${id}`, { stored: title, onLeave: 'keep' })
  if (titleInput.isOpen)
    return (
      <li className="px-1 py-1.5">
        <TitleField
          id={id}
          input={titleInput}
          onEnd={(next, { hasLeft }) => {
            titleInput.reset()
            if (next !== undefined && next !== title) onRename(conversation, next)
            // once the row has its button again; a press elsewhere has given the focus to what was pressed
            requestAnimationFrame(() => {
              if (!hasLeft || isFocusLost()) menuButton.current?.focus()
            })
          }}
        />
      </li>
    )
  return (
    <li
      data-session={id}
      className={clsx(
        'group/row relative flex items-center gap-2 rounded-md px-3 py-2',
        rowLayout,
        isCurrent
          ? 'bg-accent-soft forced-colors:outline-2 forced-colors:-outline-offset-2'
          : 'hover:bg-surface-hover',
      )}
    >
      <button
        type="button"
        aria-current={isCurrent || undefined}
        onClick={() => {
          if (!isCurrent) onSelect(id)
        }}
        className={clsx(
          'min-w-0 flex-1 text-start after:absolute after:inset-0 after:rounded-md',
          'outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus',
          isCurrent && 'cursor-default',
        )}
      >
        <span className="block truncate font-medium" title={title} dir="auto">
          {title}
        </span>
        <RowDetails {...{ conversation, isCurrent, lastUpdate, projectName }} />
      </button>
      <ConversationMenu
        conversation={conversation}
        actions={actions}
        button={menuButton}
        buttonClass={hiddenUntilHoverClass}
        onEditTitle={titleInput.open}
      />
      <IconButton
        size="sm"
        label={t`Delete ${title}`}
        tooltip={false}
        icon={<Trash2 size={16} />}
        onClick={() => onDelete(conversation)}
        className={clsx(hiddenUntilHoverClass, '-me-1.5 -ms-1.5')}
      />
    </li>
  )
})

/** The line below the title: the number of messages or the reply under way, the last update, and the project. */
function RowDetails({
  conversation: { id, message_count: count, updated_at: updatedAt },
  isCurrent,
  lastUpdate,
  projectName,
}: Omit<ConversationRowProps, 'actions'>) {
  const isReplying = useStore(replyingConversations).has(id)
  return (
    <span className={clsx('block truncate text-xs', isCurrent ? 'text-ink-muted' : 'text-ink-faint')}>
      {isReplying ? t`Writing a reply` : plural(count, { one: '# message', other: `# messages` })} ·{' '}
      <time dateTime={updatedAt} title={formatDateTimeLong(new Date(updatedAt))} className="relative z-1">
        {lastUpdate}
      </time>
      {projectName !== undefined && (
        <>
          {' · '}
          <bdi title={projectName}>{projectName}</bdi>
        </>
      )}
    </span>
  )
}

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
function ConversationMenu({
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
