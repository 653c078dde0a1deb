import { plural, t } from '@lingui/core/macro'
import clsx from 'clsx'
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
  Trash2,
} from 'lucide-react'
import { memo, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { maxTitleCharacters } from '#shared/limits.ts'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../components/ui/menu.tsx'
import type { ConversationFlags } from './use-update-conversation.ts'
import { useStore } from '../../lib/create-store.ts'
import { formatDateTimeLong } from '../../lib/dates.ts'
import { useEscape } from '../../lib/escape.ts'
import { isEnter } from '../../lib/keys.ts'
import { replyingConversations } from '../../lib/replying-conversations.ts'
import { bind } from '../../lib/text-input.ts'
import { useInput, type Input } from '../../lib/use-input.ts'
import { formatConversationTitle } from '../../lib/conversation-title.ts'

type OpenDialog = (conversation: Session, findOpener: () => HTMLElement | null) => void

/** What can be done with a conversation of the list. */
export interface ConversationActions {
  onSelect: (id: string) => void
  onDelete: (conversation: Session) => void
  onRename: (conversation: Session, title: string) => void
  onFlag: (conversation: Session, flags: ConversationFlags) => void
  /** absent if the operator has switched sharing off */
  onShare?: OpenDialog | undefined
  /** moves it to a project */
  onMove?: OpenDialog | undefined
  onPrint?: OpenDialog | undefined
  onExport: (id: string, format: 'markdown' | 'json') => void
  onExportWord?: ((conversation: Session) => void) | undefined
}

interface ConversationRowProps {
  conversation: Session
  current: boolean
  /** formatted time of the last update */
  lastUpdate: string
  /** of the project that it belongs to */
  projectName?: string | undefined
  /** must be stable: rows are memoised */
  actions: ConversationActions
}

/** Rows are laid out only near the screen. */
const rowLayout = '[content-visibility:auto] [contain-intrinsic-block-size:auto_3.5rem]'

const hiddenUntilHoverClass =
  'relative z-1 opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 group-focus-within/row:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100'

/** One conversation of the list. A click on the row opens it. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  current,
  lastUpdate,
  projectName,
  actions,
}: ConversationRowProps) {
  const { onSelect, onDelete, onRename, onFlag, onShare, onMove, onPrint, onExport, onExportWord } = actions
  const isReplying = useStore(replyingConversations).has(conversation.id)
  const menuButton = useRef<HTMLButtonElement>(null)
  const { id, message_count: count, pinned = false, archived = false } = conversation
  const updatedAt = new Date(conversation.updated_at)
  const title = formatConversationTitle(conversation.title)
  const titleInput = useInput(`title/${id}`, { stored: title, onLeave: 'keep' })
  if (titleInput.isOpen)
    return (
      <li className="px-1 py-1.5">
        <TitleField
          id={id}
          input={titleInput}
          onEnd={(next) => {
            titleInput.reset()
            if (next !== undefined && next !== title) onRename(conversation, next)
            requestAnimationFrame(() => menuButton.current?.focus())
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
        current
          ? 'bg-accent-soft forced-colors:outline-2 forced-colors:-outline-offset-2'
          : 'hover:bg-surface-hover',
      )}
    >
      <button
        type="button"
        aria-current={current || undefined}
        onClick={() => {
          if (!current) onSelect(id)
        }}
        className={clsx(
          'min-w-0 flex-1 text-start after:absolute after:inset-0 after:rounded-md',
          'outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus',
          current && 'cursor-default',
        )}
      >
        <span className="block truncate font-medium" title={title} dir="auto">
          {title}
        </span>
        <span className={clsx('block truncate text-xs', current ? 'text-ink-muted' : 'text-ink-faint')}>
          {isReplying ? t`Writing a reply` : plural(count, { one: '# message', other: `# messages` })} ·{' '}
          <time
            dateTime={conversation.updated_at}
            title={formatDateTimeLong(updatedAt)}
            className="relative z-1"
          >
            {lastUpdate}
          </time>
          {projectName !== undefined && (
            <>
              {' · '}
              <bdi title={projectName}>{projectName}</bdi>
            </>
          )}
        </span>
      </button>
      <Menu>
        <MenuTrigger asChild>
          <IconButton
            ref={menuButton}
            size="sm"
            label={t`More for ${title}`}
            tooltip={false}
            icon={<Ellipsis size={16} />}
            className={hiddenUntilHoverClass}
          />
        </MenuTrigger>
        <MenuContent
          onCloseAutoFocus={(event) => {
            // the title field has the focus already
            if (!menuButton.current) event.preventDefault()
          }}
        >
          <MenuItem icon={<Pencil aria-hidden size={16} />} onSelect={titleInput.open}>
            {t`Rename`}
          </MenuItem>
          {onShare && (
            <MenuItem
              icon={<Link aria-hidden size={16} />}
              onSelect={() => onShare(conversation, () => menuButton.current)}
            >
              {t`Share`}
            </MenuItem>
          )}
          {onMove && (
            <MenuItem
              icon={<FolderInput aria-hidden size={16} />}
              onSelect={() => onMove(conversation, () => menuButton.current)}
            >
              {t`Move to project…`}
            </MenuItem>
          )}
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
          {onPrint && (
            <MenuItem
              icon={<Printer aria-hidden size={16} />}
              onSelect={() => onPrint(conversation, () => menuButton.current)}
            >
              {t`Print or save as PDF…`}
            </MenuItem>
          )}
          {onExportWord && (
            <MenuItem icon={<FileType aria-hidden size={16} />} onSelect={() => onExportWord(conversation)}>
              {t`Export as Word`}
            </MenuItem>
          )}
          <MenuItem icon={<FileText aria-hidden size={16} />} onSelect={() => onExport(id, 'markdown')}>
            {t`Export as Markdown`}
          </MenuItem>
          <MenuItem icon={<Braces aria-hidden size={16} />} onSelect={() => onExport(id, 'json')}>
            {t`Export as JSON`}
          </MenuItem>
        </MenuContent>
      </Menu>
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

/** Where the caret was in a title whose row has moved. */
const carets = new Map<string, [from: number | null, to: number | null]>()

/** @param onEnd called once, with the new title, or undefined when cancelled */
function TitleField({
  id,
  input: title,
  onEnd,
}: {
  id: string
  input: Input<string>
  onEnd: (title: string | undefined) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const hasEnded = useRef(false)
  useLayoutEffect(() => {
    const node = input.current
    const caret = carets.get(id)
    carets.delete(id)
    if (caret) node?.focus()
    if (caret) node?.setSelectionRange(...caret)
    // after the menu has returned the focus
    const frame = caret ? 0 : requestAnimationFrame(() => node?.select())
    return () => {
      cancelAnimationFrame(frame)
      if (node && document.activeElement === node && !hasEnded.current)
        carets.set(id, [node.selectionStart, node.selectionEnd])
    }
  }, [id])
  const end = (shouldSave: boolean) => {
    if (hasEnded.current) return
    hasEnded.current = true
    const text = title.value.trim()
    onEnd(shouldSave && text !== '' ? text : undefined)
  }
  useEscape(
    'field',
    () => end(false),
    (target) => target === input.current,
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEnter(event)) return
    event.preventDefault()
    event.stopPropagation()
    end(true)
  }
  return (
    <input
      ref={input}
      aria-label={t`Title of the conversation`}
      dir="auto"
      {...bind(title)}
      maxLength={maxTitleCharacters}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
      className="h-10 w-full rounded-sm bg-surface-raised px-2 font-medium hairline outline-accent [--hairline:var(--color-line-control)] focus:outline-2 max-sm:h-11 max-sm:text-base"
    />
  )
}
