import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Button } from './ui/button.tsx'
import { Callout } from './ui/callout.tsx'
import { Dialog, type DialogInput } from './ui/dialog.tsx'
import { useActionMutation } from './use-action.ts'
import { getActionErrorMessage } from '../lib/api/action-error.ts'
import { useRecentSignIn } from '../lib/sign-in/recent-sign-in.ts'

interface ActionDialogProps<Result> {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  confirmLabel: string
  isDestructive?: boolean
  /** whether something that has to be filled in is missing */
  disabled?: boolean
  wide?: boolean
  /**
   * the text inputs in it, see `Dialog`. `onConfirm` has to call `markSaved` on them; text that is typed while it runs keeps the dialog open
   * after its success
   */
  inputs?: readonly DialogInput[]
  /** whether something else was changed, see `Dialog` */
  isChanged?: boolean
  /** where the focus moves on close, if the opener may be gone then */
  findFocusTarget?: (() => HTMLElement | null) | undefined
  /** identifies the action and what it changes: all components with the key show it as busy. By default this dialog's own */
  actionKey?: string
  /** the action; an error stays in the dialog */
  onConfirm: () => Promise<Result>
  /** called when the action has succeeded; closes the dialog by default. `isShown` is false for a user who has left it meanwhile */
  onDone?: (result: Result, context: { isShown: boolean }) => void
  /** what helps against an error of the action */
  findHelp?: (error: unknown) => { label: string; onClick: () => void } | undefined
  /** describes an error of the action */
  describeError?: (error: unknown) => string
  /** shown in place of the rest once the action has succeeded */
  result?: { title: string; content: ReactNode; footer?: ReactNode } | undefined
  /** the consequences, and fields */
  children: ReactNode
}

/** Thrown by `onConfirm` when a field or the form itself shows what is wrong, so that the dialog shows no error of its own. */
export class InvalidForm extends Error {}

/** Asks for confirmation of an action, shows its progress, and stays open with its error. Enter in a field confirms. */
export function ActionDialog<Result>({
  open,
  onClose,
  title,
  description,
  confirmLabel,
  isDestructive = false,
  disabled = false,
  wide = false,
  inputs = [],
  isChanged = false,
  findFocusTarget,
  actionKey,
  onConfirm,
  onDone = onClose,
  findHelp,
  describeError = getActionErrorMessage,
  result,
  children,
}: ActionDialogProps<Result>) {
  const formId = useId()
  const withRecentSignIn = useRecentSignIn()
  const ownKey = useId()
  const { isBusy, error, start, reset } = useActionMutation(actionKey ?? ownKey, {
    run: () => withRecentSignIn(onConfirm),
    // text that was typed while the action ran keeps the dialog open
    onSuccess: (data, _input, context) => {
      if (!inputs.some(({ isDirty }) => isDirty)) onDone(data, context)
    },
    // a user who has closed the dialog sees its error in a toast; their input is there when they open it again
    isShown: open,
    failureTitle: title,
    describeError,
  })
  const cancel = () => {
    for (const input of inputs) input.reset()
    onClose()
  }
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    // forgets the error of the last time; an effect would show it for a moment
    if (open) reset()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      isBusy={isBusy}
      inputs={result ? undefined : inputs}
      isChanged={isChanged && !result}
      title={result?.title ?? title}
      {...(description !== undefined && { description })}
      wide={wide}
      findFocusTarget={findFocusTarget}
      footer={
        result ? (
          result.footer
        ) : (
          <ActionButtons
            formId={formId}
            confirmLabel={confirmLabel}
            isDestructive={isDestructive}
            disabled={disabled}
            isBusy={isBusy}
            onCancel={cancel}
          />
        )
      }
    >
      {result ? (
        result.content
      ) : (
        <ActionForm
          id={formId}
          error={error}
          findHelp={findHelp}
          describeError={describeError}
          onSubmit={() => {
            if (!disabled) start()
          }}
        >
          {children}
        </ActionForm>
      )}
    </Dialog>
  )
}

interface ActionFormProps {
  id: string
  /** of the action */
  error: Error | null
  findHelp: ActionDialogProps<unknown>['findHelp']
  describeError: (error: unknown) => string
  onSubmit: () => void
  children: ReactNode
}

/** The content of the dialog as a form, with the error of the action below it. */
function ActionForm({ id, error, findHelp, describeError, onSubmit, children }: ActionFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useErrorInView(form, error)
  return (
    <form
      ref={form}
      id={id}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {error && !(error instanceof InvalidForm) && (
        <Callout variant="danger" error={error} action={findHelp?.(error)}>
          {describeError(error)}
        </Callout>
      )}
    </form>
  )
}

interface ActionButtonsProps {
  /** the form that the confirming button submits */
  formId: string
  confirmLabel: string
  isDestructive: boolean
  disabled: boolean
  isBusy: boolean
  onCancel: () => void
}

function ActionButtons({
  formId,
  confirmLabel,
  isDestructive,
  disabled,
  isBusy,
  onCancel,
}: ActionButtonsProps) {
  return (
    <>
      <Button variant="ghost" data-safe disabled={isBusy} onClick={onCancel}>
        {t`Cancel`}
      </Button>
      <Button
        variant={isDestructive ? 'danger-solid' : 'primary'}
        type="submit"
        form={formId}
        disabled={disabled}
        busy={isBusy}
      >
        {confirmLabel}
      </Button>
    </>
  )
}

/** Shows the user what is wrong: moves the focus to the first invalid field, or scrolls to the error below the fields. */
function useErrorInView(form: RefObject<HTMLFormElement | null>, error: unknown): void {
  useEffect(() => {
    if (!error) return
    const field =
      error instanceof InvalidForm ? form.current?.querySelector<HTMLElement>('[aria-invalid]') : undefined
    const message = [...(form.current?.querySelectorAll('[role="alert"]') ?? [])].at(-1)
    if (field) field.focus()
    else message?.scrollIntoView({ block: 'nearest' })
  }, [form, error])
}
