import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { FactorProof, useFactorCode, type FactorCode } from '../../components/ui/factor-code.tsx'

export type Proof = FactorCode['typed']

/**
 * Asks for a current code before something that weakens the account, when the sign-in is too old to do without (DEC-024).
 * @param title and action name what the code is for
 */
export function ProofDialog({
  title,
  action,
  busy,
  refused,
  onProof,
  onCancel,
}: {
  title: string
  action: string
  busy: boolean
  /** why the last code was not taken */
  refused: string | undefined
  onProof: (proof: Proof) => void
  onCancel: () => void
}) {
  const factor = useFactorCode()
  const [incomplete, setIncomplete] = useState<string>()
  const submit = () => {
    setIncomplete(factor.problem)
    if (busy || factor.problem !== undefined) return
    // a code works once, so a refused one is of no use any more
    factor.setCode('')
    onProof(factor.typed)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onCancel()}
      title={title}
      description="Your sign-in is a while ago, so please show that it is you."
      footer={
        <>
          <Button tone="ghost" onClick={onCancel}>
            Cancel
          </Button>
          <Button tone="primary" busy={busy} disabled={!factor.ready} onClick={submit}>
            {action}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FactorProof
          factor={factor}
          error={incomplete ?? refused}
          disabled={busy}
          onChange={() => setIncomplete(undefined)}
        />
      </form>
    </Dialog>
  )
}
