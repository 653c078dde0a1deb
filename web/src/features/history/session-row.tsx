import clsx from 'clsx'
import { Trash2 } from 'lucide-react'
import type { Session } from '#shared/contracts/sessions.ts'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { fullTime, updatedLabel } from './relative-time.ts'

interface SessionRowProps {
  session: Session
  current: boolean
  now: Date
  onSelect: (id: string) => void
  onDelete: (session: Session) => void
}

/** HIST-03 to HIST-06: the whole row opens the conversation, the button at its end deletes it. */
export function SessionRow({ session, current, now, onSelect, onDelete }: SessionRowProps) {
  const { id, title, message_count: count } = session
  const at = new Date(session.updated_at)
  return (
    <li
      className={clsx(
        'group/row relative flex items-center gap-2 rounded-md px-3 py-2',
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
            {updatedLabel(at, now)}
          </time>
        </span>
      </button>
      <IconButton
        size="sm"
        label={`Delete ${title}`}
        tooltip={false}
        icon={<Trash2 size={16} />}
        onClick={() => onDelete(session)}
        className="relative z-1 -mr-1.5 opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 group-focus-within/row:opacity-100 pointer-coarse:opacity-100"
      />
    </li>
  )
}
