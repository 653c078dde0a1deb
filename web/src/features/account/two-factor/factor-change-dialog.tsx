import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import {
  SecondFactorInput,
  useSecondFactorCode,
  type SecondFactorCode,
} from '../../../components/second-factor-code.tsx'

/** The code that proves that the user has the second factor, as the API takes it. */
export type SecondFactorProof = SecondFactorCode['requestFields']

/** Asks for confirmation of a two-factor change, and for a current code if the sign-in is too old. */
export function FactorChangeDialog({
  title,
  consequence,
  action,
  isDestructive,
  busy,
  needsCode,
  codeError,
  onConfirm,
  onCancel,
}: {
  title: string
  consequence: string
  /** the label of the button that confirms */
  action: string
  isDestructive: boolean
  busy: boolean
  needsCode: boolean
  /** the error of the last code that was sent */
  codeError: string | undefined
  onConfirm: (proof?: SecondFactorProof) => void
  onCancel: () => void
}) {
  const secondFactorCode = useSecondFactorCode()
  const [validationError, setValidationError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  // a rejected code is cleared, which disables the button that was pressed
  useEffect(() => {
    if (needsCode && !busy) field.current?.focus()
  }, [needsCode, busy])
  const submit = () => {
    if (busy) return
    if (!needsCode) return onConfirm()
    setValidationError(secondFactorCode.validationError)
    if (secondFactorCode.validationError !== undefined) return
    onConfirm(secondFactorCode.requestFields)
    // a code works once
    secondFactorCode.clear()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onCancel()}
      isBusy={busy}
      title={title}
      description={consequence}
      footer={
        <>
          <Button variant="ghost" data-safe disabled={busy} onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button
            variant={isDestructive ? 'danger-solid' : 'primary'}
            busy={busy}
            disabled={needsCode && !busy && !secondFactorCode.isComplete}
            onClick={submit}
          >
            {action}
          </Button>
        </>
      }
    >
      {needsCode && (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <p>{t`You signed in a while ago. Please confirm that it is you.`}</p>
          <SecondFactorInput
            ref={field}
            secondFactorCode={secondFactorCode}
            error={validationError ?? codeError}
            busy={busy}
            onChange={() => setValidationError(undefined)}
          />
        </form>
      )}
    </Dialog>
  )
}
