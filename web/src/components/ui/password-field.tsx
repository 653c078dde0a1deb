import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { TextField, type TextFieldProps } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import * as texts from '../texts.ts'

/** A password input with a button that shows and hides the text. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const [isVisible, setIsVisible] = useState(false)
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
