import clsx from 'clsx'
import { type Ref, useId, useState } from 'react'
import { bind, type TextInput } from '../../lib/input/text-input.ts'
import { toAsciiDigits } from '../../lib/text/number-input.ts'
import { fieldAttributes, FieldFrame } from './field.tsx'

/** How many digits a code has. */
export const codeLength = 6

/** Extracts the first six digits: `123 456`, `123-456`, full-width and Arabic digits are all `123456`. */
function extractDigits(text: string): string {
  return toAsciiDigits(text).replace(/\D/g, '').slice(0, codeLength)
}

/** Whether a text is a code, and nothing else: a text that is being composed may have other characters. */
export const isWholeCode = (text: string): boolean =>
  text.length === codeLength && extractDigits(text) === text

interface CodeFieldProps {
  label: string
  input: TextInput
  /** called with the code when its last digit is entered */
  onComplete?: (code: string) => void
  error: string | undefined
  /** what is typed is ignored, and the field keeps the focus */
  busy: boolean
  ref?: Ref<HTMLInputElement>
}

/**
 * A six-digit code. The boxes are decorative; one real input above them makes paste, autofill and screen
 * readers work.
 */
export function CodeField({ label, input, onComplete, error, busy, ref }: CodeFieldProps) {
  const id = useId()
  const [isFocused, setIsFocused] = useState(false)
  const { value } = input
  const complete = (digits: string) => {
    if (isWholeCode(digits) && digits !== value) onComplete?.(digits)
  }
  /** the box of the next digit; the last one when the code is complete */
  const caretIndex = isFocused ? Math.min(value.length, codeLength - 1) : undefined
  const restingBorder = error === undefined ? 'border-line-control' : 'border-danger'
  return (
    <FieldFrame id={id} label={label} error={error}>
      <div className="relative">
        <div aria-hidden className="grid grid-cols-6 gap-2">
          {Array.from({ length: codeLength }, (_, index) => (
            <span
              key={index}
              className={clsx(
                'grid h-14 place-items-center rounded-md border bg-surface-raised font-mono text-xl font-medium',
                index === caretIndex
                  ? 'border-transparent outline-2 -outline-offset-1 outline-focus'
                  : restingBorder,
                busy && 'text-ink-disabled',
              )}
            >
              {value[index] ??
                (index === caretIndex && <span className="h-6 w-0.5 rounded-[1px] bg-accent" />)}
            </span>
          ))}
        </div>
        <input
          {...fieldAttributes(id, error, undefined)}
          ref={ref}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9 \-]*"
          {...bind(input, { format: extractDigits, onInput: complete })}
          readOnly={busy}
          onFocus={() => setIsFocused(true)}
          onBlur={() => setIsFocused(false)}
          className="absolute inset-0 size-full cursor-text rounded-md bg-transparent forced-color-adjust-none text-base text-transparent caret-transparent outline-none selection:bg-transparent"
        />
      </div>
    </FieldFrame>
  )
}
