import clsx from 'clsx'
import {
  Archive,
  ArchiveRestore,
  Braces,
  Ellipsis,
  FileText,
  Link,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react'
import { memo, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Session } from '#shared/contracts/sessions.ts'
import { maxTitleCharacters } from '#shared/limits.ts'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../components/ui/menu.tsx'
import { exportSession } from './export-conversation.ts'
import type { SessionFlags } from './use-update-conversation.ts'
import { fullTime } from '../../lib/dates.ts'

/** What can be done with a conversation of the list. */
export interface SessionActions {
  onSelect: (id: string) => void
  onDelete: (session: Session) => void
  onRename: (session: Session, title: string) => void
  onFlag: (session: Session, flags: SessionFlags) => void
  /** absent where the operator has switched sharing off */
  onShare?: ((session: Session, findOpener: () => HTMLElement | null) => void) | undefined
}

interface SessionRowProps {
  session: Session
  current: boolean
  /** when it was updated, as the row says it */
  updated: string
  /** must stay the same: a row is rendered again when its own values change */
  actions: SessionActions
}

/** Laid out when it comes near the screen, however long the list is. */
const rowLayout = '[content-visibility:auto] [contain-intrinsic-block-size:auto_3.5rem]'

const revealed =
  'relative z-1 opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 group-focus-within/row:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100'

/** HIST-03 to HIST-06: the whole row opens the conversation, the buttons at its end do the rest. */
export const SessionRow = memo(function SessionRow({ session, current, updated, actions }: SessionRowProps) {
  const { onSelect, onDelete, onRename, onFlag, onShare } = actions
  const [renaming, setRenaming] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const { id, title, message_count: count, pinned = false, archived = false } = session
  const at = new Date(session.updated_at)
  if (renaming)
    return (
      <li className="px-1 py-1.5">
        <TitleField
          title={title}
          onEnd={(next) => {
            setRenaming(false)
            if (next !== undefined && next !== title) onRename(session, next)
            requestAnimationFrame(() => more.current?.focus())
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
        current ? 'bg-accent-soft' : 'hover:bg-surface-hover',
      )}
    >
      <button
        type="button"
        aria-current={current || undefined}
        onClick={() => {
          if (!current) onSelect(id)
        }}
        className={clsx(
          'min-w-0 flex-1 text-left after:absolute after:inset-0 after:rounded-md',
          'outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus',
          current && 'cursor-default',
        )}
      >
        <span className="block truncate font-medium" title={title} dir="auto">
          {title}
        </span>
        <span className={clsx('block text-xs', current ? 'text-ink-muted' : 'text-ink-faint')}>
          {count === 1 ? '1 message' : `${count} messages`} ·{' '}
          <time dateTime={session.updated_at} title={fullTime(at)} className="relative z-1">
            {updated}
          </time>
        </span>
      </button>
      <Menu>
        <MenuTrigger asChild>
          <IconButton
            ref={more}
            size="sm"
            label={`More for ${title}`}
            tooltip={false}
            icon={<Ellipsis size={16} />}
            className={revealed}
          />
        </MenuTrigger>
        <MenuContent
          onCloseAutoFocus={(event) => {
            // the field that takes the row's place has the focus already
            if (!more.current) event.preventDefault()
          }}
        >
          <MenuItem icon={<Pencil aria-hidden size={16} />} onSelect={() => setRenaming(true)}>
            Rename
          </MenuItem>
          {onShare && (
            <MenuItem
              icon={<Link aria-hidden size={16} />}
              onSelect={() => onShare(session, () => more.current)}
            >
              Share
            </MenuItem>
          )}
          {!archived && (
            <MenuItem
              icon={pinned ? <PinOff aria-hidden size={16} /> : <Pin aria-hidden size={16} />}
              onSelect={() => onFlag(session, { pinned: !pinned })}
            >
              {pinned ? 'Unpin' : 'Pin'}
            </MenuItem>
          )}
          <MenuItem
            icon={archived ? <ArchiveRestore aria-hidden size={16} /> : <Archive aria-hidden size={16} />}
            onSelect={() => onFlag(session, { archived: !archived })}
          >
            {archived ? 'Restore' : 'Archive'}
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            icon={<FileText aria-hidden size={16} />}
            onSelect={() => void exportSession(id, 'markdown')}
          >
            Export as Markdown
          </MenuItem>
          <MenuItem icon={<Braces aria-hidden size={16} />} onSelect={() => void exportSession(id, 'json')}>
            Export as JSON
          </MenuItem>
        </MenuContent>
      </Menu>
      <IconButton
        size="sm"
        label={`Delete ${title}`}
        tooltip={false}
        icon={<Trash2 size={16} />}
        onClick={() => onDelete(session)}
        className={clsx(revealed, '-mr-1.5 -ml-1.5')}
      />
    </li>
  )
})

/** @param onEnd called once, with the new title, or undefined when it was given up */
function TitleField({ title, onEnd }: { title: string; onEnd: (title: string | undefined) => void }) {
  const [text, setText] = useState(title)
  const input = useRef<HTMLInputElement>(null)
  const ended = useRef(false)
  useEffect(() => {
    // after the menu has given its focus back
    const frame = requestAnimationFrame(() => input.current?.select())
    return () => cancelAnimationFrame(frame)
  }, [])
  const end = (keep: boolean) => {
    if (ended.current) return
    ended.current = true
    onEnd(keep && text.trim() !== '' ? text.trim() : undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    end(event.key === 'Enter')
  }
  return (
    <input
      ref={input}
      data-own-escape
      aria-label="Title of the conversation"
      dir="auto"
      value={text}
      maxLength={maxTitleCharacters}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
      className="h-10 w-full rounded-sm bg-surface-raised px-2 font-medium hairline outline-accent [--hairline:var(--color-line-control)] focus:outline-2 max-sm:h-11 max-sm:text-base"
    />
  )
}
