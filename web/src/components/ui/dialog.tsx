import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useState, type ReactNode } from 'react'
import { BlockApps } from '../../lib/browser/app-blockers.ts'
import { useLeaveGuard } from '../../lib/input/leave-guard.ts'
import { Callout } from './callout.tsx'
import { focusFirst, useFocusReturn } from './dialog-focus.ts'
import { DocumentFlag } from './document-flag.tsx'
import { IconButton } from './icon-button.tsx'
import { ignoreToastPress, preventDefault, scrimClass } from './overlay.ts'

/** What a dialog needs of a text input (`useInput`). */
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
  /** as wide as `--width-dialog-wide`, and with a line above its buttons */
  wide?: boolean
  /** its text inputs: the cross, Escape, a press outside and leaving the page ask before unsaved text is discarded */
  inputs?: readonly DialogInput[] | undefined
  /** whether something other than text was changed in it, which is asked for, too */
  isChanged?: boolean
  /** while true, only “Discard changes” closes the dialog, if it is shown, and keeps the input; the caller disables its Cancel */
  isBusy?: boolean
  /** neither Escape nor a press outside closes it, because it shows something only once; the cross does */
  closesByButtonOnly?: boolean
  /** shown before the title, 40 px */
  icon?: ReactNode
  /** links beside the title; hidden below 640 px */
  links?: ReactNode
  /** where the focus moves on close; by default, where it came from */
  findFocusTarget?: (() => HTMLElement | null) | undefined
  children?: ReactNode
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
  const { requestOpenChange, discard } = useUnsavedInput({ open, onOpenChange, inputs, isChanged, isBusy })
  return (
    <Radix.Root open={open} onOpenChange={requestOpenChange}>
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
            // Radix would warn that there is no description
            {...(description === undefined && { 'aria-describedby': undefined })}
            className={clsx(
              'print:block print:max-h-none print:max-w-none print:overflow-visible print:bg-transparent print:shadow-none print:outline-none',
              // Radix sets pointer-events, too, but only after the first render: everything inside would be styled twice
              'pointer-events-auto flex max-h-[min(100%,47.5rem)] w-full flex-col overflow-hidden rounded-lg bg-surface-overlay text-ui shadow-dialog',
              'outline outline-line data-[state=open]:animate-rise data-[state=closed]:animate-sink',
              'max-sm:max-h-[92dvh] max-sm:max-w-none max-sm:rounded-b-none max-sm:data-[state=open]:animate-sheet',
              wide ? 'max-w-(--width-dialog-wide)' : 'max-w-(--width-dialog)',
            )}
          >
            <BlockApps />
            <DocumentFlag name="sheet" />
            <DialogHeader title={title} description={description} icon={icon} links={links} />
            <div className="min-h-0 flex-1 overflow-y-auto px-6 py-5 scroll-quiet print:overflow-visible print:px-0 max-sm:px-5 max-sm:py-4">
              {children}
              {discard && (
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

function DialogHeader({
  title,
  description,
  icon,
  links,
}: Pick<DialogProps, 'title' | 'description' | 'icon' | 'links'>) {
  return (
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
  )
}

/**
 * Asks before a dialog with unsaved input is closed, or its page left.
 * @returns `requestOpenChange` opens or closes the dialog, or asks first; `discard`, while it asks, discards the input and closes or leaves
 */
function useUnsavedInput({
  open,
  onOpenChange,
  inputs,
  isChanged,
  isBusy,
}: Required<Pick<DialogProps, 'open' | 'onOpenChange' | 'isChanged' | 'isBusy'>> & {
  inputs: readonly DialogInput[]
}) {
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
  return {
    requestOpenChange: (next: boolean) => {
      if (isBusy) return
      if (!next && isDirty) setIsDiscardOffered(true)
      else onOpenChange(next)
    },
    discard: isDirty && (isDiscardOffered || guard.isAsking) ? discard : undefined,
  }
}
