import { useState, type Ref } from 'react'
import { CodeField, codeLength } from './ui/code-field.tsx'
import { TextField } from './ui/field.tsx'
import { backupCodeCharacters } from '#shared/limits.ts'

/** What is being typed as second factor: the six digits of the app, or a backup code in their place. */
export function useFactorCode() {
  const [backup, setBackup] = useState(false)
  const [code, setCode] = useState('')
  return {
    backup,
    code,
    setCode,
    /** MFA-10, DEC-023: whether there is enough to be sent */
    ready: backup ? code !== '' : code.length === codeLength,
    /** what is wrong with it before anybody is asked */
    problem: codeProblem(code, backup),
    /** as the functions take it */
    typed: { token: code, isBackupCode: backup },
    change: () => {
      setBackup(!backup)
      setCode('')
    },
  }
}

export type FactorCode = ReturnType<typeof useFactorCode>

interface FactorCodeFieldProps {
  factor: FactorCode
  error: string | undefined
  disabled: boolean
  /** called with the app's code once its last digit is there */
  onComplete?: (code: string) => void
  /** of the field for the app's code */
  ref?: Ref<HTMLInputElement>
}

/** The field for it. A backup code is ten capitals (MFA-11). */
export function FactorCodeField({
  factor: { backup, code, setCode },
  error,
  disabled,
  onComplete,
  ref,
}: FactorCodeFieldProps) {
  if (!backup)
    return (
      <CodeField
        key="app"
        {...(ref && { ref })}
        label="Verification code"
        value={code}
        onChange={setCode}
        {...(onComplete && { onComplete })}
        error={error}
        disabled={disabled}
      />
    )
  return (
    <TextField
      key="backup"
      label="Backup code"
      name="backup-code"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      className="font-mono tracking-wider"
      value={code}
      onChange={(event) => setCode(backupCodeInput(event.target.value))}
      readOnly={disabled}
      error={error}
    />
  )
}

/** The field with the way to the other kind of code, for dialogs that ask for proof (DEC-024). */
export function FactorProof(props: FactorCodeFieldProps & { onChange?: () => void }) {
  const { factor, disabled, onChange } = props
  return (
    <div className="grid gap-4">
      <FactorCodeField {...props} />
      <button
        type="button"
        className="link justify-self-start rounded-xs font-medium"
        disabled={disabled}
        onClick={() => {
          factor.change()
          onChange?.()
        }}
      >
        {factor.backup ? 'Use the app’s code' : 'Use a backup code'}
      </button>
    </div>
  )
}

/** What is wrong with a typed code before anybody is asked; the sentences of MFA-07 and MFA-09. */
export function codeProblem(code: string, isBackupCode: boolean): string | undefined {
  if (code.trim() === '') return 'Please enter a verification code'
  if (!isBackupCode && !/^\d{6}$/.test(code)) return 'Please enter a valid 6-digit code'
  return undefined
}

/** A backup code while it is typed: capitals, ten characters at most; pasted spaces and hyphens go (MFA-11). */
export const backupCodeInput = (typed: string): string =>
  typed.replaceAll(/[\s-]/g, '').toUpperCase().slice(0, backupCodeCharacters)
