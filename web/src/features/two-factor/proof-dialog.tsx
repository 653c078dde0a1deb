import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodeField, codeLength } from '../../components/ui/code-field.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { backupCodeInput, codeProblem } from '../../lib/two-factor-code.ts'

export interface Proof {
  token: string
  isBackupCode: boolean
}

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
  const [backup, setBackup] = useState(false)
  const [code, setCode] = useState('')
  const [incomplete, setIncomplete] = useState<string>()
  const submit = (token: string) => {
    const sentence = codeProblem(token, backup)
    setIncomplete(sentence)
    if (busy || sentence !== undefined) return
    // a code works once, so a refused one is of no use any more
    setCode('')
    onProof({ token, isBackupCode: backup })
  }
  const error = incomplete ?? refused
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
          <Button
            tone="primary"
            busy={busy}
            disabled={backup ? code === '' : code.length < codeLength}
            onClick={() => submit(code)}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit(code)
        }}
      >
        {backup ? (
          <TextField
            key="backup"
            label="Backup code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className="font-mono tracking-wider"
            value={code}
            onChange={(event) => setCode(backupCodeInput(event.target.value))}
            error={error}
          />
        ) : (
          <CodeField
            key="app"
            label="Verification code"
            value={code}
            onChange={setCode}
            error={error}
            disabled={busy}
          />
        )}
        <button
          type="button"
          className="link justify-self-start rounded-xs font-medium"
          onClick={() => {
            setBackup(!backup)
            setCode('')
            setIncomplete(undefined)
          }}
        >
          {backup ? 'Use the app’s code' : 'Use a backup code'}
        </button>
      </form>
    </Dialog>
  )
}
