import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { TextField, type TextFieldProps } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import * as texts from '../texts.ts'

/** A password input with a button that shows and hides the text. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      trailing={
        <IconButton
          label={shown ? texts.hidePassword : texts.showPassword}
          tooltip={false}
          onClick={() => setShown(!shown)}
          icon={<Icon size={20} strokeWidth={1.75} />}
        />
      }
    />
  )
}
