import { t } from '@lingui/core/macro'
import { TextField } from '../../components/ui/field.tsx'
import type { TextInput } from '../../lib/input/text-input.ts'

/** The e-mail address that a user signs in with. */
export function EmailField({
  input,
  error,
  hint,
  readOnly,
}: {
  input: TextInput
  error: string | undefined
  hint: string | undefined
  readOnly: boolean
}) {
  return (
    <TextField
      label={t`E-mail`}
      type="email"
      name="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      input={input}
      error={error}
      hint={hint}
      readOnly={readOnly}
    />
  )
}
