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
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const hover = (name: string) =>
  fireEvent.pointerEnter(screen.getByRole('button', { name }).parentElement as Element)
const leave = (name: string) =>
  fireEvent.pointerLeave(screen.getByRole('button', { name }).parentElement as Element)

it('LIB-11 opens after 700 ms of hovering and describes its element', async () => {
  open()
  hover('One')
  await advance(699)
  expect(screen.queryByRole('tooltip')).toBeNull()
  await advance(1)
  const bubble = screen.getByRole('tooltip')
  expect(bubble.textContent).toBe('More about one')
  expect(screen.getByRole('button', { name: 'One' }).getAttribute('aria-describedby')).toBe(bubble.id)
  leave('One')
  await advance(100)
  expect(screen.queryByRole('tooltip')).toBeNull()
  expect(screen.getByRole('button', { name: 'One' }).hasAttribute('aria-describedby')).toBe(false)
})

it.each([
  [299, true],
  [300, false],
])('LIB-12 %i ms after a tooltip closed, the next one opens immediately: %s', async (ms, isImmediate) => {
  open()
  hover('One')
  await advance(700)
  leave('One')
  await advance(ms)
  hover('Two')
  expect(screen.queryByRole('tooltip') !== null).toBe(isImmediate)
})

it('closes on Escape and on a click', async () => {
  open()
  hover('One')
  await advance(700)
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(screen.queryByRole('tooltip')).toBeNull()
  await advance(1000)
  hover('Two')
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Two' }))
  await advance(700)
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
  hover('One')
  await advance(700)
  const bubble = screen.getByRole('tooltip')
  leave('One')
  await advance(99)
  fireEvent.pointerEnter(bubble)
  await advance(1_000)
  expect(screen.getByRole('tooltip')).toBe(bubble)
  fireEvent.pointerLeave(bubble)
  await advance(100)
  expect(screen.queryByRole('tooltip')).toBeNull()
})

it('only one tooltip is open at a time', async () => {
  open()
  hover('One')
  await advance(700)
  leave('One')
  hover('Two')
  expect(screen.getByRole('tooltip').textContent).toBe('More about two')
})

it('a text that a tap has opened closes with a tap elsewhere, also where a tap does not focus buttons', () => {
  render(
    <>
      <Tooltip text="Why" onPress="opens">
        <button>Demo</button>
      </Tooltip>
      <p>Elsewhere</p>
    </>,
  )
  const tap = (element: HTMLElement) => {
    fireEvent.pointerDown(element, { pointerType: 'touch' })
    fireEvent.click(element)
  }
  tap(screen.getByRole('button'))
  tap(screen.getByRole('button'))
  expect(screen.getByRole('tooltip').textContent).toBe('Why')
  tap(screen.getByText('Elsewhere'))
  expect(screen.queryByRole('tooltip')).toBeNull()
})
