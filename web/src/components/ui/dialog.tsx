import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import {
  useDeferredValue,
  useRef,
  useState,
  type KeyboardEventHandler,
  type ReactNode,
  type Ref,
} from 'react'
import { BlockApps } from '../../lib/app-blockers.ts'
import { useLeaveGuard } from '../../lib/leave-guard.ts'
import { findComposerToFocus } from '../../lib/focus-targets.ts'
import { Callout } from './callout.tsx'
import { IconButton } from './icon-button.tsx'
import { DocumentFlag } from './document-flag.tsx'
import { giveFocus, preventDefault } from './focus-return.ts'

/** A text input of a dialog (`useInput`). */
export interface DialogInput {
  isDirty: boolean
  reset: () => void
}

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** buttons, the main one last */
  footer?: ReactNode
  /** 40 rem instead of 30 */
  wide?: boolean
  /** its text inputs: Escape, a press outside and leaving the page ask before unsaved text is discarded */
  inputs?: readonly DialogInput[] | undefined
  /** whether something other than text was changed in it: it is asked for, too */
  isChanged?: boolean
  /** while true, the dialog cannot be closed */
  isBusy?: boolean
  /** neither Escape nor a press outside closes it, because it shows something only once */
  closesByButtonOnly?: boolean
  /** shown before the title, 40 px */
  icon?: ReactNode
  /** links beside the title; hidden below 640 px */
  links?: ReactNode
  /** where the focus moves on close; by default, where it came from */
  findFocusTarget?: (() => HTMLElement | null) | undefined
  children?: ReactNode
}

const scrimClass =
  'fixed inset-0 bg-scrim data-[state=open]:animate-fade data-[state=closed]:animate-fade-out'

/**
 * Returns the focus on close to where it came from.
 * @param findTarget overrides the target, if it finds one
 * @returns handlers for the content
 */
function useFocusReturn(findTarget?: () => HTMLElement | null) {
  const opener = useRef<Element | null>(null)
  // the opener may have closed meanwhile, e.g. a panel
  const findOrigin = () => (opener.current?.isConnected ? opener.current : findComposerToFocus())
  return {
    onOpenAutoFocus: () => {
      opener.current = findMenuTrigger(document.activeElement) ?? document.activeElement
    },
    onCloseAutoFocus: (event: Event) => giveFocus(event, findTarget?.() ?? findOrigin()),
  }
}

/** The menu item that opened the dialog is gone by then; the menu's trigger is not. */
function findMenuTrigger(item: Element | null): HTMLElement | null {
  const id = item?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return typeof id === 'string' ? document.getElementById(id) : null
}

const fieldSelector =
  ':is(input, textarea, select):not([type="hidden"], [readonly], :disabled, [tabindex="-1"]), [role="radio"][aria-checked="true"]'

/**
 * The first field, unless it is below the fold: what stands before it is read first, and the focus must be seen. A touch screen leaves
 * it to a tap: its keyboard would cover what the dialog says.
 */
function findField(content: HTMLElement): HTMLElement | undefined {
  if (matchMedia('(pointer: coarse)').matches) return undefined
  const fields = [...content.querySelectorAll<HTMLElement>(fieldSelector)]
  const first = fields.find((field) => field.checkVisibility())
  // what the dialog scrolls ends at its buttons
  const end = content.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
  return first && first.getBoundingClientRect().bottom <= end ? first : undefined
}

/**
 * Gives a new dialog the focus: its first field, as soon as it has one; else the choice that changes nothing (`data-safe`), else the
 * dialog itself, so that a key that comes too early does nothing. The dialog is shown from its beginning.
 */
function focusFirst(content: HTMLElement): void {
  const first = findField(content) ?? content.querySelector<HTMLElement>('[data-safe]') ?? content
  first.focus({ preventScroll: true })
  if (first.matches(fieldSelector)) return
  const observer = new MutationObserver(() => {
    const isUntouched = document.activeElement === first || document.activeElement === content
    const field = isUntouched ? findField(content) : undefined
    if (!isUntouched || field) observer.disconnect()
    field?.focus({ preventScroll: true })
  })
  observer.observe(content, { childList: true, subtree: true })
}

/** A press on a toast must not close the dialog. */
const ignoreToastPress = (event: { target: EventTarget | null; preventDefault: () => void }) => {
  if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]')) event.preventDefault()
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** A modal dialog; a bottom sheet below 640 px. Where the focus starts is decided here (`focusFirst`), for all dialogs. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  wide = false,
  inputs = [],
  isChanged = false,
  isBusy = false,
  closesByButtonOnly = false,
  icon,
  links,
  findFocusTarget,
  children,
}: DialogProps) {
  const focusReturn = useFocusReturn(findFocusTarget)
  const isDirty = isChanged || inputs.some((input) => input.isDirty)
  const guard = useLeaveGuard(open && isDirty)
  const [isDiscardOffered, setIsDiscardOffered] = useState(false)
  if (isDiscardOffered && !(open && isDirty)) setIsDiscardOffered(false)
  const discard = () => {
    // while it is being saved, the input stays: saving may fail
    if (!isBusy) for (const input of inputs) input.reset()
    onOpenChange(false)
    guard.leave()
  }
  const change = (next: boolean) => {
    if (isBusy) return
    if (!next && isDirty) setIsDiscardOffered(true)
    else onOpenChange(next)
  }
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay
          className={clsx(
            scrimClass,
            'z-(--z-dialog) grid place-items-center p-6 print:static print:block print:bg-transparent print:p-0 max-sm:items-end max-sm:p-0',
          )}
        >
          <Radix.Content
            {...focusReturn}
            onOpenAutoFocus={(event) => {
              focusReturn.onOpenAutoFocus()
              event.preventDefault()
              if (event.target instanceof HTMLElement) focusFirst(event.target)
            }}
            data-sheet
            onPointerDownOutside={closesByButtonOnly ? preventDefault : ignoreToastPress}
            {...(closesByButtonOnly && { onEscapeKeyDown: preventDefault })}
            {...(description === undefined && { 'aria-describedby': undefined })}
            className={clsx(
              'print:block print:max-h-none print:max-w-none print:overflow-visible print:bg-transparent print:shadow-none print:outline-none',
              // from the beginning: what Radix sets after it would have all inside styled twice
              'pointer-events-auto flex max-h-[min(100%,47.5rem)] w-full flex-col overflow-hidden rounded-lg bg-surface-overlay text-ui shadow-dialog',
              'outline outline-line data-[state=open]:animate-rise data-[state=closed]:animate-sink',
              'max-sm:max-h-[92dvh] max-sm:max-w-none max-sm:rounded-b-none max-sm:data-[state=open]:animate-sheet',
              wide ? 'max-w-(--width-dialog-wide)' : 'max-w-(--width-dialog)',
            )}
          >
            <BlockApps />
            <DocumentFlag name="sheet" />
            <header className="flex items-start gap-3 pt-5 pe-4 ps-6 print:p-0 max-sm:ps-5">
              {icon}
              <div className="min-w-0 flex-1">
                <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
                {description !== undefined && (
                  <Radix.Description className="mt-0.5 text-ink-muted">{description}</Radix.Description>
                )}
              </div>
              {links !== undefined && <div className="flex shrink-0 gap-2 max-sm:hidden">{links}</div>}
              <Radix.Close asChild>
                <IconButton
                  label={t`Close`}
                  tooltip={false}
                  icon={<X size={20} strokeWidth={1.75} />}
                  className="-mt-1.5"
                />
              </Radix.Close>
            </header>
            <div className="min-h-0 flex-1 overflow-y-auto px-6 py-5 scroll-quiet print:overflow-visible print:px-0 max-sm:px-5 max-sm:py-4">
              {children}
              {isDirty && (isDiscardOffered || guard.isAsking) && (
                <div ref={scrollIntoView} className="mt-4">
                  <Callout variant="info" action={{ label: t`Discard changes`, onClick: discard }}>
                    {t`Your changes are not saved yet.`}
                  </Callout>
                </div>
              )}
            </div>
            {footer !== undefined && (
              <footer
                className={clsx(
                  'flex items-center justify-end gap-2 px-6 pb-5 print:hidden max-sm:flex-wrap max-sm:px-5 max-sm:pb-[max(1.25rem,env(safe-area-inset-bottom))] max-sm:*:flex-1',
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
  /** buttons beside the title */
  actions?: ReactNode
  /** above the list */
  header?: ReactNode
  footer?: ReactNode
  onKeyDown?: KeyboardEventHandler
  /** where the focus moves on close; null for where it came from */
  findFocusTarget?: () => HTMLElement | null
  /** the scroll container of the children */
  scroller?: Ref<HTMLDivElement>
  children: ReactNode
}

/** Renders its children after the first paint of the panel: the panel opens at once, also with a long list. */
function AfterOpening({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children
}

/** A panel that slides in from the left. */
export function SidePanel({
  open,
  onOpenChange,
  title,
  actions,
  header,
  footer,
  onKeyDown,
  findFocusTarget,
  scroller,
  children,
}: SidePanelProps) {
  const focusReturn = useFocusReturn(findFocusTarget)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={clsx(scrimClass, 'z-(--z-panel) print:hidden')} />
        <Radix.Content
          {...focusReturn}
          onPointerDownOutside={ignoreToastPress}
          onKeyDown={onKeyDown}
          aria-describedby={undefined}
          className={clsx(
            'fixed inset-y-0 start-0 z-(--z-panel) grid w-[min(var(--width-panel),calc(100vw-2.5rem))] grid-rows-[auto_auto_minmax(0,1fr)_auto]',
            // from the beginning, as above
            'pointer-events-auto bg-surface-overlay text-ui shadow-dialog outline-none forced-colors:border-e',
            'data-[state=open]:animate-slide data-[state=closed]:animate-slide-out print:hidden',
          )}
        >
          <BlockApps />
          <DocumentFlag name="panel" />
          <header className="flex h-(--height-topbar) items-center justify-between pe-2 ps-5">
            <Radix.Title className="text-base/6 font-semibold tracking-snug">{title}</Radix.Title>
            <div className="flex">
              {actions}
              <Radix.Close asChild>
                <IconButton label={t`Close`} tooltip={false} icon={<X size={20} strokeWidth={1.75} />} />
              </Radix.Close>
            </div>
          </header>
          <div>{header}</div>
          <div ref={scroller} className="overflow-y-auto scroll-quiet">
            <AfterOpening>{children}</AfterOpening>
          </div>
          <div>{footer}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
