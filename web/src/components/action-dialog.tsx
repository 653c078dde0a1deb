import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Button } from './ui/button.tsx'
import { Callout } from './ui/callout.tsx'
import { Dialog } from './ui/dialog.tsx'
import { errorMessage } from '../lib/api-errors.ts'
import { useRecentSignIn } from '../lib/recent-sign-in.ts'
import { useLeaveGuard } from '../lib/leave-guard.ts'
import * as texts from './texts.ts'

interface ActionDialogProps {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  confirmLabel: string
  /** a button for something else, at the other end of the footer */
  otherAction?: { label: string; onClick: () => void }
  isDestructive?: boolean
  /** whether something that has to be filled in is missing */
  disabled?: boolean
  wide?: boolean
  /** whether there is input: Escape, a press outside and leaving the page then ask before they discard it */
  isDirty?: boolean
  /** where the focus moves on close, if the opener may be gone then */
  findFocusTarget?: (() => HTMLElement | null) | undefined
  /** the action; an error stays in the dialog */
  onConfirm: () => Promise<unknown>
  /** called when the action has succeeded; closes the dialog by default */
  onDone?: () => void
  /** what helps against an error of the action */
  findHelp?: (error: unknown) => { label: string; onClick: () => void } | undefined
  /** describes an error of the action */
  describeError?: (error: unknown) => string
  /** shown in place of the rest once the action has succeeded */
  result?: { title: string; content: ReactNode; footer?: ReactNode } | undefined
  /** the consequences, and fields */
  children: ReactNode
}

/** The action was not tried, or failed, for a reason that a field or the form itself shows. */
export class InvalidForm extends Error {}

/** Asks for confirmation of an action, shows its progress, and stays open with its error. Enter in a field confirms. */
export function ActionDialog({
  open,
  onClose,
  title,
  description,
  confirmLabel,
  otherAction,
  isDestructive = false,
  disabled = false,
  wide = false,
  isDirty = false,
  findFocusTarget,
  onConfirm,
  onDone = onClose,
  findHelp,
  describeError = errorMessage,
  result,
  children,
}: ActionDialogProps) {
  const formId = useId()
  const withRecentSignIn = useRecentSignIn()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => withRecentSignIn(onConfirm),
    onSuccess: onDone,
  })
  const [isDiscardOffered, setIsDiscardOffered] = useState(false)
  const guard = useLeaveGuard(open && isDirty && !result)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    setIsDiscardOffered(false)
    if (open) reset()
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error instanceof InvalidForm) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (next || isPending) return
        if (isDirty && !result) setIsDiscardOffered(true)
        else onClose()
      }}
      title={result?.title ?? title}
      {...(description !== undefined && { description })}
      wide={wide}
      findFocusTarget={findFocusTarget}
      {...(result && { footer: result.footer })}
      {...(!result && {
        footer: (
          <>
            {otherAction && (
              <Button variant="danger" disabled={isPending} className="me-auto" onClick={otherAction.onClick}>
                {otherAction.label}
              </Button>
            )}
            <Button variant="ghost" data-safe disabled={isPending} onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button
              variant={isDestructive ? 'danger-solid' : 'primary'}
              type="submit"
              form={formId}
              disabled={disabled}
              busy={isPending}
            >
              {confirmLabel}
            </Button>
          </>
        ),
      })}
    >
      {result ? (
        result.content
      ) : (
        <form
          ref={form}
          id={formId}
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (!disabled && !isPending) mutate()
          }}
        >
          {children}
          {error && !(error instanceof InvalidForm) && (
            <Callout variant="danger" action={findHelp?.(error)}>
              {describeError(error)}
            </Callout>
          )}
          {(isDiscardOffered || guard.isAsking) && isDirty && (
            <div ref={scrollIntoView}>
              <Callout
                variant="info"
                action={{ label: texts.discard, onClick: guard.isAsking ? guard.leave : onClose }}
              >
                {texts.notSaved}
              </Callout>
            </div>
          )}
        </form>
      )}
    </Dialog>
  )
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
