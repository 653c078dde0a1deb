import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { CodeField } from './code-field.tsx'
import { useInput } from '../../lib/input/use-input.ts'

it.each([
  ['123 456', '123456'],
  ['123-456', '123456'],
  [' 1234567 ', '123456'],
  ['code: 12', '12'],
  ['１２３ ４５６', '123456'],
  ['١٢٣ ٤٥٦', '123456'],
  ['۷۸۹۰', '7890'],
  ['no digit', ''],
])('reads %j as %j', (text, digits) => {
  const Field = () => <CodeField label="Code" input={useInput('code')} error={undefined} busy={false} />
  render(<Field />)
  const input = screen.getByLabelText<HTMLInputElement>('Code')
  fireEvent.change(input, { target: { value: text } })
  expect(input.value).toBe(digits)
})

it('is a single input with autocomplete for one-time codes, and calls onComplete once', () => {
  const onComplete = vi.fn<(code: string) => void>()
  const Field = () => (
    <CodeField label="Code" input={useInput('code')} error={undefined} busy={false} onComplete={onComplete} />
  )
  render(<Field />)
  const input = screen.getByLabelText<HTMLInputElement>('Code')
  expect([input.autocomplete, input.inputMode]).toEqual(['one-time-code', 'numeric'])
  fireEvent.change(input, { target: { value: '12345' } })
  expect(onComplete).not.toHaveBeenCalled()
  fireEvent.change(input, { target: { value: '123 456' } })
  fireEvent.change(input, { target: { value: '1234567' } })
  expect(onComplete).toHaveBeenCalledExactlyOnceWith('123456')
})
