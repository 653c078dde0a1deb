import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Diagram } from './diagram.tsx'

const rendered = () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  const onDrawn = vi.fn<(isDrawn: boolean) => void>()
  render(<Diagram source="flowchart LR" isHidden={false} onDrawn={onDrawn} />)
  const frame = screen.getByTitle<HTMLIFrameElement>('Diagram')
  const tell = (data: unknown, source: Window | null = frame.contentWindow) => {
    act(() => void dispatchEvent(new MessageEvent('message', { data, source })))
  }
  return { frame, tell, onDrawn }
}

it('has no origin, and takes no room until it is drawn', () => {
  const { frame, tell, onDrawn } = rendered()
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
  expect(frame.getAttribute('aria-hidden')).toBe('true')
  tell({ state: 'drawn', heightPx: 240 })
  expect(frame.style.height).toBe('240px')
  expect(frame.hasAttribute('aria-hidden')).toBe(false)
  expect(onDrawn.mock.calls).toEqual([[true]])
})

it('is asked to draw once it says that it is ready', () => {
  const { frame, tell } = rendered()
  const post = vi.spyOn(frame.contentWindow!, 'postMessage').mockImplementation(() => undefined)
  tell({ state: 'ready' })
  expect(post.mock.calls).toEqual([[{ source: 'flowchart LR', dark: false }, '*']])
})

it.each([null, 'drawn', { state: 'drawn' }, { state: 'drawn', heightPx: '9px' }])(
  'is not drawn by a message that says nothing: %j',
  (message) => {
    const { frame, tell, onDrawn } = rendered()
    tell(message)
    expect(onDrawn).not.toHaveBeenCalled()
    expect(frame.getAttribute('aria-hidden')).toBe('true')
  },
)

it('believes no other window', () => {
  const { frame, tell, onDrawn } = rendered()
  tell({ state: 'drawn', heightPx: 240 }, window)
  tell({ state: 'failed' }, null)
  expect(onDrawn).not.toHaveBeenCalled()
  expect(frame.getAttribute('aria-hidden')).toBe('true')
})

it.each([
  ['an endless height', 1e9, '1200px'],
  ['a height that is none', 0, '1px'],
])('is as high as it says, within limits: %s', (_, heightPx, height) => {
  const { frame, tell } = rendered()
  tell({ state: 'drawn', heightPx })
  expect(frame.style.height).toBe(height)
})
