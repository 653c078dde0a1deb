import { t } from '@lingui/core/macro'
import { type Ref, useId, useState } from 'react'
import { codeSeparators } from '#shared/code-separators.ts'
import { backupCodeCharacters } from '#shared/limits.ts'
import { useInput } from '../lib/input/use-input.ts'
import { toAsciiDigits } from '../lib/text/number-input.ts'
import { CodeField, isWholeCode } from './ui/code-field.tsx'
import { TextField } from './ui/field.tsx'

/** The input of a second factor: the six digits of the app, or a backup code. It is forgotten with the component. */
export function useSecondFactorCode() {
  const [isBackupCode, setIsBackupCode] = useState(false)
  const input = useInput(useId(), { onLeave: 'forget' })
  const code = input.value
  return {
    isBackupCode,
    code,
    input,
    clear: input.reset,
    /** whether the code is complete enough to submit */
    isComplete: isBackupCode ? code !== '' : isWholeCode(code),
    /** error of the client-side validation */
    validationError: validateCode(code, { isBackupCode }),
    /** the fields of an API request with the code */
    requestFields: { token: code, isBackupCode },
    toggleKind: () => {
      setIsBackupCode(!isBackupCode)
      input.reset()
    },
  }
}

/** The code of a second factor that is being entered. */
export type SecondFactorCode = ReturnType<typeof useSecondFactorCode>

interface SecondFactorFieldProps {
  secondFactorCode: SecondFactorCode
  error: string | undefined
  busy: boolean
  /** called with the app's code when its last digit is entered */
  onComplete?: (code: string) => void
  /** the field for the app's code */
  ref?: Ref<HTMLInputElement>
}

/**
 * The input for either kind of code. Enter submits the form also while its visible button is disabled, so that the form can say what is
 * missing.
 */
export function SecondFactorField(props: SecondFactorFieldProps) {
  return (
    <>
      <button type="submit" className="sr-only" tabIndex={-1} aria-hidden />
      {props.secondFactorCode.isBackupCode ? <BackupCodeField {...props} /> : <AppCodeField {...props} />}
    </>
  )
}

function AppCodeField({ secondFactorCode, error, busy, onComplete, ref }: SecondFactorFieldProps) {
  return (
    <CodeField
      {...(ref && { ref })}
      label={t`Verification code`}
      input={secondFactorCode.input}
      {...(onComplete && { onComplete })}
      error={error}
      busy={busy}
    />
  )
}

function BackupCodeField({ secondFactorCode, error, busy }: SecondFactorFieldProps) {
  return (
    <TextField
      label={t`Backup code`}
      name="backup-code"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      className="font-mono tracking-wider"
      input={secondFactorCode.input}
      format={normalizeBackupCode}
      readOnly={busy}
      error={error}
    />
  )
}

/** The input with a button that switches to the other kind of code. */
export function SecondFactorInput(props: SecondFactorFieldProps & { onChange: () => void }) {
  const { secondFactorCode, busy, onChange } = props
  return (
    <div className="grid gap-4">
      <SecondFactorField {...props} />
      <button
        type="button"
        className="link justify-self-start rounded-xs font-medium"
        aria-disabled={busy || undefined}
        onClick={() => {
          if (busy) return
          secondFactorCode.toggleKind()
          onChange()
        }}
      >
        {secondFactorCode.isBackupCode ? t`Use the app’s code` : t`Use a backup code`}
      </button>
    </div>
  )
}

/**
 * Validates a code on the client.
 * @returns the error message, undefined when the code is valid
 */
export function validateCode(
  code: string,
  { isBackupCode = false }: { isBackupCode?: boolean } = {},
): string | undefined {
  if (code.trim() === '') return t`Please enter a verification code`
  if (!isBackupCode && !isWholeCode(code)) return t`Please enter a valid 6-digit code`
  return undefined
}

/** Normalises a backup code as it is typed: uppercase, no longer than such a code, full-width characters and Arabic digits as ASCII, without blanks and dashes. */
const normalizeBackupCode = (input: string): string =>
  toAsciiDigits(input).replaceAll(codeSeparators, '').toUpperCase().slice(0, backupCodeCharacters)
