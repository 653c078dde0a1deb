import { render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { CardSlot } from './card-slot.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('the line of a decided card keeps the height of the card for a moment, and not that of a card which is shown again', async () => {
  vi.useFakeTimers()
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(120)
  const slot = (line: string | undefined) => <CardSlot line={line}>A card</CardSlot>
  const { container, rerender } = render(slot(undefined))
  const getMinHeight = () => container.querySelector<HTMLElement>('div')?.style.minHeight
  rerender(slot('Allowed'))
  expect(getMinHeight()).toBe('120px')
  rerender(slot(undefined))
  expect([container.textContent, getMinHeight()]).toEqual(['A card', ''])
  rerender(slot('Allowed'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect([container.textContent, getMinHeight()]).toEqual(['Allowed', ''])
})
