import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { QuoteButton } from './quote-button.tsx'

/* jsdom has no layout, and so no rectangles of ranges */
const rect = { left: 0, top: 0, bottom: 20, width: 50 } as DOMRect
beforeEach(() => {
  Object.defineProperty(Range.prototype, 'getClientRects', { value: () => [rect], configurable: true })
})
afterEach(() => void Reflect.deleteProperty(Range.prototype, 'getClientRects'))

function Messages() {
  const rows = useRef<HTMLDivElement>(null)
  return (
    <div ref={rows}>
      <p>A message</p>
      <QuoteButton rows={rows} />
    </div>
  )
}

it('disappears with the selection, also after a press on it that was ended elsewhere', async () => {
  render(<Messages />)
  const text = screen.getByText('A message')
  const press = async (target: Element) => {
    fireEvent.pointerDown(target)
    fireEvent.pointerUp(document.body)
    await act(() => new Promise((resolve) => setTimeout(resolve)))
  }
  getSelection()?.selectAllChildren(text)
  await act(async () => document.dispatchEvent(new Event('selectionchange')))
  await press(screen.getByRole('button', { name: 'Quote' }))
  expect(screen.getByRole('button', { name: 'Quote' })).toBeTruthy()
  getSelection()?.removeAllRanges()
  await press(text)
  expect(screen.queryByRole('button')).toBeNull()
})
