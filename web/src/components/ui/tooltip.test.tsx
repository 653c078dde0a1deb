import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { returnFocus, Tooltip } from './tooltip.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function open() {
  render(
    <>
      <Tooltip text="More about one">
        <button>One</button>
      </Tooltip>
      <Tooltip text="More about two">
        <button>Two</button>
      </Tooltip>
    </>,
  )
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const rest = (name: string) =>
  fireEvent.pointerEnter(screen.getByRole('button', { name }).parentElement as Element)
const leave = (name: string) =>
  fireEvent.pointerLeave(screen.getByRole('button', { name }).parentElement as Element)

it('LIB-11 opens after 700 ms of hovering and describes its element', async () => {
  open()
  rest('One')
  await pass(699)
  expect(screen.queryByRole('tooltip')).toBeNull()
  await pass(1)
  const bubble = screen.getByRole('tooltip')
  expect(bubble.textContent).toBe('More about one')
  expect(screen.getByRole('button', { name: 'One' }).getAttribute('aria-describedby')).toBe(bubble.id)
  leave('One')
  await pass(100)
  expect(screen.queryByRole('tooltip')).toBeNull()
  expect(screen.getByRole('button', { name: 'One' }).hasAttribute('aria-describedby')).toBe(false)
})

it.each([
  [299, true],
  [300, false],
])('LIB-12 %i ms after one closed the next opens at once: %s', async (ms, atOnce) => {
  open()
  rest('One')
  await pass(700)
  leave('One')
  await pass(ms)
  rest('Two')
  expect(screen.queryByRole('tooltip') !== null).toBe(atOnce)
})

it('closes on Escape and on a press', async () => {
  open()
  rest('One')
  await pass(700)
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(screen.queryByRole('tooltip')).toBeNull()
  await pass(1000)
  rest('Two')
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Two' }))
  await pass(700)
  expect(screen.queryByRole('tooltip')).toBeNull()
})

it('stays closed when a dialog returns the focus', () => {
  open()
  const one = screen.getByRole('button', { name: 'One' })
  act(() => returnFocus(one))
  expect(document.activeElement).toBe(one)
  expect(screen.queryByRole('tooltip')).toBeNull()
  act(() => screen.getByRole('button', { name: 'Two' }).focus())
  expect(screen.getByRole('tooltip').textContent).toBe('More about two')
})

it('stays open while the pointer is on it, and closes when it leaves', async () => {
  open()
  rest('One')
  await pass(700)
  const bubble = screen.getByRole('tooltip')
  leave('One')
  await pass(99)
  fireEvent.pointerEnter(bubble)
  await pass(1_000)
  expect(screen.getByRole('tooltip')).toBe(bubble)
  fireEvent.pointerLeave(bubble)
  await pass(100)
  expect(screen.queryByRole('tooltip')).toBeNull()
})

it('only one tooltip is open at a time', async () => {
  open()
  rest('One')
  await pass(700)
  leave('One')
  rest('Two')
  expect(screen.getByRole('tooltip').textContent).toBe('More about two')
})
