import { t } from '@lingui/core/macro'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useBlockApps } from '../../lib/browser/app-blockers.ts'
import { TextField, type TextFieldProps } from './field.tsx'
import { IconButton } from './icon-button.tsx'

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'trailing'> {
  /** for forms with fields after it: they have one such button after their last field, so that Tab leads from one field to the next */
  areSecretsVisible?: boolean | undefined
  /** a key or password of another service, and not the password of this account */
  isCredential?: boolean
}

function getToggleLabel({ isVisible, isCredential }: { isVisible: boolean; isCredential: boolean }): string {
  if (isCredential) return isVisible ? t`Hide value` : t`Show value`
  return isVisible ? t`Hide password` : t`Show password`
}

/** A field for a secret, with a button that shows and hides the text. No MCP app stays open beside it, which could imitate the field. */
export function PasswordField({ areSecretsVisible, isCredential = false, ...props }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const isVisible = areSecretsVisible ?? isShown
  useBlockApps()
  const Icon = isVisible ? EyeOff : Eye
  return (
    <TextField
      {...props}
      type={isVisible ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      trailing={
        areSecretsVisible === undefined ? (
          <IconButton
            label={getToggleLabel({ isVisible, isCredential })}
            tooltip={false}
            onClick={() => setIsShown(!isVisible)}
            icon={<Icon size={20} strokeWidth={1.75} />}
          />
        ) : undefined
      }
    />
  )
}
