import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useInput } from '../../lib/input/use-input.ts'
import { TitleField } from './title-field.tsx'

function Row() {
  const input = useInput('title/c1', { stored: 'A plan', onLeave: 'forget' })
  return <TitleField id="c1" input={input} onEnd={() => undefined} />
}

it('has the focus, with its text selected, although selecting a text need not focus', async () => {
  render(<Row />)
  const field = screen.getByRole<HTMLInputElement>('textbox')
  await expect.poll(() => [field.selectionStart, field.selectionEnd]).toEqual([0, 6])
  expect(document.activeElement).toBe(field)
})
