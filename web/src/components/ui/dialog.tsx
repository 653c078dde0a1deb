import clsx from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useRef, type KeyboardEventHandler, type ReactNode, type Ref } from 'react'
import { findComposer } from '../../lib/restore-focus.ts'
import { IconButton } from './icon-button.tsx'
import { returnFocus } from './tooltip.tsx'
import { RootMark } from './document-flag.tsx'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** buttons, the main one last */
  footer?: ReactNode
  /** 40 rem instead of 30 */
  wide?: boolean
  /** before the title: what the dialog is about, 40 px */
  lead?: ReactNode
  /** links beside the title; under 640 px they are not shown */
  links?: ReactNode
  /** where the focus goes when it has closed; null, or without it, where it came from */
  findFocusTarget?: (() => HTMLElement | null) | undefined
  children?: ReactNode
}

const scrim = 'fixed inset-0 bg-scrim data-[state=open]:animate-fade data-[state=closed]:animate-fade-out'

/**
 * Focus returns where it came from: without a trigger of its own, Radix would let it fall to the page.
 * @param findTarget where the focus goes instead, if there is such a place
 */
function useFocusReturn(findTarget?: () => HTMLElement | null) {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = menuTrigger(document.activeElement) ?? document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      // what opened it may have closed since: a panel whose choice asks a question
      const origin = opener.current?.isConnected ? opener.current : findComposer()
      const target = findTarget?.() ?? origin
      if (target instanceof HTMLElement) returnFocus(target)
    },
  }
}

/** A menu is gone when the dialog that one of its items opened closes; what opened the menu is not. */
function menuTrigger(item: Element | null): HTMLElement | null {
  const id = item?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return typeof id === 'string' ? document.getElementById(id) : null
}

/** A press on a toast, e.g. on its Undo, is meant for the toast alone. */
const spareToasts = (event: { target: EventTarget | null; preventDefault: () => void }) => {
  if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]')) event.preventDefault()
}

/** A field inside that is closed by Escape itself says so with `data-own-escape`. */
const spareOwnEscape = (event: KeyboardEvent) => {
  if (event.target instanceof HTMLElement && event.target.dataset['ownEscape'] !== undefined)
    event.preventDefault()
}

/** A modal dialog; a bottom sheet under 640 px. Focus goes in, Escape closes, focus returns where it came from. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  wide = false,
  lead,
  links,
  findFocusTarget,
  children,
}: DialogProps) {
  const focusReturn = useFocusReturn(findFocusTarget)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay
          className={clsx(
            scrim,
            'z-(--z-dialog) grid place-items-center p-6 print:static print:block print:bg-transparent print:p-0 max-sm:items-end max-sm:p-0',
          )}
        >
          <Radix.Content
            {...focusReturn}
            data-sheet
            onPointerDownOutside={spareToasts}
            {...(description === undefined && { 'aria-describedby': undefined })}
            className={clsx(
              'print:max-h-none print:max-w-none print:shadow-none print:outline-none',
              'flex max-h-[min(100%,47.5rem)] w-full flex-col overflow-hidden rounded-lg bg-surface-overlay text-ui shadow-dialog',
              'outline outline-line data-[state=open]:animate-rise data-[state=closed]:animate-sink',
              'max-sm:max-h-[92dvh] max-sm:max-w-none max-sm:rounded-b-none max-sm:data-[state=open]:animate-sheet',
              wide ? 'max-w-(--width-dialog-wide)' : 'max-w-(--width-dialog)',
            )}
          >
            <RootMark has="sheet" />
            <header className="flex items-start gap-3 pt-5 pr-4 pl-6 max-sm:pl-5">
              {lead}
              <div className="min-w-0 flex-1">
                <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
                {description !== undefined && (
                  <Radix.Description className="mt-0.5 text-ink-muted">{description}</Radix.Description>
                )}
              </div>
              {links !== undefined && <div className="flex shrink-0 gap-2 max-sm:hidden">{links}</div>}
              <Radix.Close asChild>
                <IconButton
                  label="Close"
                  tooltip={false}
                  icon={<X size={20} strokeWidth={1.75} />}
                  className="-mt-1.5"
                />
              </Radix.Close>
            </header>
            <div className="min-h-0 flex-1 overflow-y-auto px-6 py-5 scroll-quiet max-sm:px-5 max-sm:py-4">
              {children}
            </div>
            {footer !== undefined && (
              <footer
                className={clsx(
                  'flex items-center justify-end gap-2 px-6 pb-5 max-sm:flex-wrap max-sm:px-5 max-sm:pb-[max(1.25rem,env(safe-area-inset-bottom))] max-sm:*:flex-1',
                  wide && 'border-t border-line pt-4 max-sm:pt-3',
                )}
              >
                {footer}
              </footer>
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface SidePanelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** between title and list: what one can start here */
  head?: ReactNode
  foot?: ReactNode
  onKeyDown?: KeyboardEventHandler
  /** where the focus goes when it has closed; null for where it came from */
  findFocusTarget?: () => HTMLElement | null
  /** given the element that the children scroll in */
  scroller?: Ref<HTMLDivElement>
  /** scrolls by itself */
  children: ReactNode
}

/** A panel that slides over the page from the left. */
export function SidePanel({
  open,
  onOpenChange,
  title,
  head,
  foot,
  onKeyDown,
  findFocusTarget,
  scroller,
  children,
}: SidePanelProps) {
  const focusReturn = useFocusReturn(findFocusTarget)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={clsx(scrim, 'z-(--z-panel)')} />
        <Radix.Content
          {...focusReturn}
          onPointerDownOutside={spareToasts}
          onEscapeKeyDown={spareOwnEscape}
          onKeyDown={onKeyDown}
          aria-describedby={undefined}
          className={clsx(
            'fixed inset-y-0 left-0 z-(--z-panel) grid w-[min(var(--width-panel),calc(100vw-2.5rem))] grid-rows-[auto_auto_minmax(0,1fr)_auto]',
            'bg-surface-overlay text-ui shadow-dialog outline-none forced-colors:border-r',
            'data-[state=open]:animate-slide data-[state=closed]:animate-slide-out',
          )}
        >
          <header className="flex h-(--height-topbar) items-center justify-between pr-2 pl-5">
            <Radix.Title className="text-base/6 font-semibold tracking-[-0.008em]">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" tooltip={false} icon={<X size={20} strokeWidth={1.75} />} />
            </Radix.Close>
          </header>
          <div>{head}</div>
          <div ref={scroller} className="overflow-y-auto scroll-quiet">
            {children}
          </div>
          <div>{foot}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
