import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * What is wrong with a form: nothing is shown before the user has tried to save, and from then on what is wrong at the time. Its values, and
 * what was changed elsewhere or typed meanwhile, are those of `useInput`.
 * @param found what is wrong now, by field
 * @param fields finds the fields that are wrong, if the form has one without `aria-invalid`
 */
export function useFormCheck<Problems extends object>(found: Problems, fields = '[aria-invalid]') {
  const element = useRef<HTMLFormElement>(null)
  const [isChecked, setIsChecked] = useState(false)
  const isValid = Object.values(found).every((problem) => problem === undefined)
  return {
    /** the form's ref; an `ActionDialog` has its own, and focuses the field when `InvalidForm` is thrown */
    element,
    /** those to show */
    problems: isChecked ? found : ({} as Partial<Problems>),
    /** @returns whether the form can be saved; if not, the first field that is wrong has the focus */
    check: (): boolean => {
      // rendered at once, so that the fields that are wrong have their `aria-invalid`
      flushSync(() => setIsChecked(true))
      if (!isValid) element.current?.querySelector<HTMLElement>(fields)?.focus()
      return isValid
    },
    /** shows no problem until the next save */
    restart: () => setIsChecked(false),
  }
}
