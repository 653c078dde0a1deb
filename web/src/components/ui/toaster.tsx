import { t } from '@lingui/core/macro'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, type FocusEvent } from 'react'
import { Toaster as Sonner } from 'sonner'
import { shortcuts } from '../../lib/input/shortcuts.ts'
import { phoneQuery, useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { Announcer } from './announcer.tsx'
import { toastList } from './toast-list.tsx'
import { registerToaster } from './toast.ts'
import { direction } from '../../lib/text/locale.ts'

/** How long toasts are shown that do not set it: long enough to read a title and a line of text. */
const defaultDurationMs = 5_000

/**
 * The toasts, at most three at once: in the bottom corner at the end of the line, above the composer where they would cover it; on a phone
 * below the top bar. Alt+T focuses them. Contains the live region for other announcements.
 */
export function Toaster() {
  const isPhone = useMediaQuery(phoneQuery)
  const lineEnd = direction === 'rtl' ? 'left' : 'right'
  useEffect(() => registerToaster(toastList), [])
  return (
    // Sonner would move the focus back when it leaves: Tab would never get past a toast
    <div className="contents" onFocusCapture={stopPropagation} onBlurCapture={leave}>
      <Announcer />
      <Sonner
        position={isPhone ? 'top-center' : `bottom-${lineEnd}`}
        visibleToasts={3}
        duration={defaultDurationMs}
        hotkey={['altKey', shortcuts.notifications.code]}
        gap={8}
        closeButton
        offset={{ bottom: 'var(--toast-bottom)', left: 24, right: 24 }}
        mobileOffset={{ top: 'var(--toast-top)', left: 12, right: 12 }}
        containerAriaLabel={t`Notifications`}
        icons={{
          success: <CircleCheck size={20} strokeWidth={1.75} className="text-success" />,
          error: <CircleAlert size={20} strokeWidth={1.75} className="text-danger" />,
          warning: <CircleAlert size={20} strokeWidth={1.75} className="text-danger" />,
          info: <Info size={20} strokeWidth={1.75} className="text-ink-faint" />,
          close: <X size={16} />,
        }}
        style={{ zIndex: 'var(--z-toast)', fontFamily: 'var(--font-sans)' }}
        toastOptions={{
          unstyled: true,
          closeButtonAriaLabel: t`Close`,
          classNames: {
            toast:
              // modal dialogs disable pointer events elsewhere; Sonner's own outline would win over one that is not important
              'pointer-events-auto group flex w-full items-start gap-3 rounded-lg bg-surface-overlay py-3.5 pe-3 ps-4 text-ui text-ink floating sm:w-88 focus-visible:outline-2! focus-visible:outline-focus!',
            content: 'min-w-0 flex-1',
            title: 'font-medium',
            description: 'text-sm text-ink-muted',
            icon: 'shrink-0',
            closeButton:
              'order-last -my-1 inline-grid size-7 shrink-0 place-items-center rounded-chip text-ink-muted hover:bg-surface-hover hover:text-ink max-sm:size-9 max-sm:-my-2',
            actionButton:
              'order-2 -my-1 h-7 shrink-0 rounded-chip px-2 text-sm font-medium text-accent-ink hover:bg-surface-hover max-sm:h-9 max-sm:-my-2',
          },
        }}
      />
    </div>
  )
}

const stopPropagation = (event: FocusEvent) => event.stopPropagation()

/** Sonner keeps toasts that were focused with the hotkey until the pointer leaves them; here they also end after the focus has left. */
function leave(event: FocusEvent): void {
  event.stopPropagation()
  if (event.currentTarget.contains(event.relatedTarget)) return
  const list = event.target.closest('[data-sonner-toaster]')
  list?.dispatchEvent(new MouseEvent('mouseout', { bubbles: true }))
}
