import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { FactorProof, useFactorCode, type FactorCode } from '../../../components/second-factor-code.tsx'

export type Proof = FactorCode['typed']

/**
 * Asks before something that weakens the account: what will happen, and a current code where the sign-in is too old to do without.
 * @param title and action name the change
 */
export function FactorChangeDialog({
  title,
  consequence,
  action,
  dangerous,
  busy,
  needsProof,
  refused,
  onConfirm,
  onCancel,
}: {
  title: string
  consequence: string
  action: string
  dangerous: boolean
  busy: boolean
  needsProof: boolean
  /** why the last code was not taken */
  refused: string | undefined
  onConfirm: (proof?: Proof) => void
  onCancel: () => void
}) {
  const factor = useFactorCode()
  const [incomplete, setIncomplete] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (needsProof) field.current?.focus()
  }, [needsProof])
  const submit = () => {
    if (busy) return
    if (!needsProof) return onConfirm()
    setIncomplete(factor.problem)
    if (factor.problem !== undefined) return
    // a code works once, so a refused one is of no use any more
    factor.setCode('')
    onConfirm(factor.typed)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onCancel()}
      title={title}
      description={consequence}
      footer={
        <>
          <Button tone="ghost" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            tone={dangerous ? 'danger-solid' : 'primary'}
            busy={busy}
            disabled={needsProof && !factor.ready}
            onClick={submit}
          >
            {action}
          </Button>
        </>
      }
    >
      {needsProof && (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <p>Your sign-in is a while ago, so please show that it is you.</p>
          <FactorProof
            ref={field}
            factor={factor}
            error={incomplete ?? refused}
            disabled={busy}
            onChange={() => setIncomplete(undefined)}
          />
        </form>
      )}
    </Dialog>
  )
}
