import { TextField } from '../../components/ui/field.tsx'
import * as texts from './page-texts.tsx'

/** The e-mail address that a user signs in with. */
export function EmailField({
  value,
  onChange,
  error,
  hint,
}: {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: string | undefined
}) {
  return (
    <TextField
      label={texts.email}
      type="email"
      name="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={hint}
    />
  )
}
