import { fireEvent, render, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, it } from 'vitest'
import { SecondFactorField, useSecondFactorCode } from './second-factor-code.tsx'

/** @returns the field for a backup code, and whether what is in it can be submitted */
function renderBackupCode() {
  const state = { isComplete: false, error: undefined as string | undefined }
  function Form() {
    const code = useSecondFactorCode()
    const { isBackupCode, toggleKind, isComplete, validationError } = code
    useEffect(() => {
      if (!isBackupCode) toggleKind()
      Object.assign(state, { isComplete, error: validationError })
    }, [isBackupCode, toggleKind, isComplete, validationError])
    return <SecondFactorField secondFactorCode={code} error={undefined} busy={false} />
  }
  render(<Form />)
  return { field: screen.getByLabelText<HTMLInputElement>('Backup code'), state }
}

it.each([
  ['as it is shown', 'ABCDE-12345', 'ABCDE12345'],
  // https://github.com/silverstripe/silverstripe-mfa/issues/435
  ['with the dash of a document', 'ABCDE\u201312345', 'ABCDE12345'],
  ['with a dash that does not break', 'ABCDE\u201112345', 'ABCDE12345'],
  ['with marks of the direction', '\u2066ABCDE12345\u2069', 'ABCDE12345'],
  ['in small letters, with spaces', ' abcde 12345 ', 'ABCDE12345'],
  ['full-width, as Japanese input methods write it', 'ＡＢＣｄｅ－１２３４５', 'ABCDE12345'],
  // https://github.com/firebase/FirebaseUI-iOS/issues/790
  ['with the digits of an Arabic keyboard', 'ABCDE-١٢٣٤٥', 'ABCDE12345'],
  ['with the digits of a Persian keyboard', 'ABCDE-۱۲۳۴۵', 'ABCDE12345'],
  ['with the wide space of these input methods', 'ABCDE　12345', 'ABCDE12345'],
  ['with more than belongs to it', 'ABCDE12345678', 'ABCDE12345'],
])('a backup code can be typed %s', (_name, typed, code) => {
  const { field, state } = renderBackupCode()
  fireEvent.change(field, { target: { value: typed } })
  expect(field.value).toBe(code)
  expect(state).toEqual({ isComplete: true, error: undefined })
})
