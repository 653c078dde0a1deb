import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useBlockApps } from '../../lib/app-blockers.ts'
import { TextField, type TextFieldProps } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import * as texts from '../texts.ts'

/** A field for a secret, with a button that shows and hides the text. No app stays open beside it. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const [isVisible, setIsVisible] = useState(false)
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
        <IconButton
          label={isVisible ? texts.hidePassword : texts.showPassword}
          tooltip={false}
          onClick={() => setIsVisible(!isVisible)}
          icon={<Icon size={20} strokeWidth={1.75} />}
        />
      }
    />
  )
}
