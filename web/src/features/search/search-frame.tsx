import { t } from '@lingui/core/macro'
import { Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { giveFocus } from '../../components/ui/focus-return.ts'
import { Status } from '../../components/ui/status.tsx'
import { BlockApps } from '../../lib/browser/app-blockers.ts'

interface SearchFrameProps {
  onClose: () => void
  /** where the focus moves on close; null if it is moved elsewhere */
  findFocusTarget: () => Element | null
  children: ReactNode
}

/** The dialog around the search; the whole window below 640 px. */
export function SearchFrame({ onClose, findFocusTarget, children }: SearchFrameProps) {
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-(--z-dialog) flex animate-fade justify-center bg-scrim p-6 pt-[12dvh] max-sm:p-0">
          <Radix.Content
            aria-describedby={undefined}
            onCloseAutoFocus={(event) => giveFocus(event, findFocusTarget())}
            className="flex h-fit max-h-[min(70dvh,36rem)] w-full max-w-(--width-dialog-wide) animate-rise flex-col overflow-hidden rounded-lg bg-surface-overlay text-ui shadow-dialog outline outline-line max-sm:h-dvh max-sm:max-h-none max-sm:rounded-none"
          >
            <BlockApps />
            <Radix.Title className="sr-only">{t`Search`}</Radix.Title>
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The line of the search field, with the button that closes the dialog. */
export function SearchBar({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 border-b border-line px-4">
      <Search aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-faint" />
      {children}
      <Radix.Close
        aria-label={t`Close, Esc`}
        className="rounded-chip px-2 py-1 text-xs text-ink-muted hover:bg-surface-hover max-sm:h-11"
      >
        <span className="max-sm:hidden">{t`Esc`}</span>
        <span className="sm:hidden">{t`Close`}</span>
      </Radix.Close>
    </div>
  )
}

/** How loading the conversations goes, and that nothing was found. */
export function SearchFooter({
  status,
  isEmpty,
  query,
  onRetry,
}: {
  status: 'loading' | 'ready' | 'failed'
  /** whether the query was searched, and nothing found */
  isEmpty: boolean
  query: string
  onRetry: () => void
}) {
  return (
    <Status className="px-5 text-sm text-ink-muted *:pb-4">
      {status === 'failed' && (
        <p>
          {t`Your conversations could not be loaded.`}{' '}
          <button type="button" className="link font-medium" onClick={onRetry}>
            {t`Try again`}
          </button>
        </p>
      )}
      {status === 'loading' && <p>{t`Loading your conversations…`}</p>}
      {status === 'ready' && isEmpty && <p className="wrap-anywhere">{t`Nothing found for “${query}”.`}</p>}
    </Status>
  )
}
