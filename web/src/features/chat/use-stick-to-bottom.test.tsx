import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { stopFollowingEnd, useStickToBottom } from './use-stick-to-bottom.ts'

const visibleHeight = 100
let contentHeight: number
let resize: () => void

const scrollTop = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollTop')!
afterEach(() => Object.defineProperty(Element.prototype, 'scrollTop', scrollTop))

function Scroller({ isFollowedAtFirst }: { isFollowedAtFirst: boolean }) {
  const [scroller, content, footer] = [useRef(null), useRef(null), useRef(null)]
  const { isAtEnd, jumpToEnd } = useStickToBottom(scroller, content, footer, { isFollowedAtFirst })
  return (
    <>
      <button onClick={jumpToEnd}>Jump</button>
      {!isAtEnd && <p>Below</p>}
      <div ref={scroller} data-testid="scroller">
        <div ref={content} />
      </div>
    </>
  )
}

/** A scroller with the sizes that jsdom, which has no layout, does not compute. */
function renderScroller({ isFollowedAtFirst = true } = {}) {
  contentHeight = 1_000
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: () => void) {
        resize = onResize
      }
      observe() {}
      disconnect() {}
    },
  )
  const positions = new WeakMap<Element, number>()
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(() => contentHeight)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(visibleHeight)
  // not two spies: restoring the one would bring the other back
  Object.defineProperty(Element.prototype, 'scrollTop', {
    configurable: true,
    get(this: Element) {
      return positions.get(this) ?? 0
    },
    set(this: Element, top: number) {
      positions.set(this, Math.min(top, contentHeight - visibleHeight))
    },
  })
  render(<Scroller isFollowedAtFirst={isFollowedAtFirst} />)
  return screen.getByTestId('scroller')
}

const growTo = (height: number) => {
  contentHeight = height
  resize()
}

it('shows the beginning of a new chat, however short the window is, and follows the end after the first message', () => {
  const scroller = renderScroller({ isFollowedAtFirst: false })
  growTo(1_100)
  expect(scroller.scrollTop).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: 'Jump' }))
  growTo(2_000)
  expect(scroller.scrollTop).toBe(1_900)
})

it('follows the end while the content grows', () => {
  const scroller = renderScroller()
  expect(scroller.scrollTop).toBe(900)
  growTo(2_000)
  expect(scroller.scrollTop).toBe(1_900)
})

it('offers to jump to an end that has grown out of view, also if nothing was scrolled', () => {
  const scroller = renderScroller()
  stopFollowingEnd(scroller)
  expect(screen.queryByText('Below')).toBeNull()
  act(() => growTo(2_000))
  expect(scroller.scrollTop).toBe(900)
  expect(screen.getByText('Below')).toBeTruthy()
})

it('stays where the reader has scrolled up, even if one event reports that scroll and the one to the end', () => {
  const scroller = renderScroller()
  growTo(2_000)
  scroller.scrollTop = 1_500
  fireEvent.scroll(scroller)
  growTo(3_000)
  expect(scroller.scrollTop).toBe(1_500)
})

it.each([
  ['nobody, when rows are laid out for the first time', undefined, 1_450],
  ['the reader', 'wheel', 1_400],
] as const)('after the jump to the end, what scrolls up is %s', (_who, input, top) => {
  const scroller = renderScroller()
  growTo(2_000)
  fireEvent.click(screen.getByText('Jump'))
  if (input) dispatchEvent(new Event(input))
  // the rows are lower than estimated, and the new message is below them
  contentHeight = 1_550
  scroller.scrollTop = 1_400
  fireEvent.scroll(scroller)
  expect(scroller.scrollTop).toBe(top)
  growTo(1_600)
  expect(scroller.scrollTop).toBe(input ? top : 1_500)
})
