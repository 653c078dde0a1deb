import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Diagram } from './diagram.tsx'

const renderDiagram = () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  const onDrawnChange = vi.fn<(isDrawn: boolean) => void>()
  render(<Diagram source="flowchart LR" isHidden={false} onDrawnChange={onDrawnChange} />)
  const frame = screen.getByTitle<HTMLIFrameElement>('Diagram')
  const postMessage = (data: unknown, source: Window | null = frame.contentWindow) => {
    act(() => void dispatchEvent(new MessageEvent('message', { data, source })))
  }
  return { frame, postMessage, onDrawnChange }
}

it('has no origin, and takes no space until it is drawn', () => {
  const { frame, postMessage, onDrawnChange } = renderDiagram()
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
  expect(frame.getAttribute('aria-hidden')).toBe('true')
  postMessage({ state: 'drawn', heightPx: 240 })
  expect(frame.style.height).toBe('240px')
  expect(frame.hasAttribute('aria-hidden')).toBe(false)
  expect(onDrawnChange.mock.calls).toEqual([[true]])
})

it('hides the previous drawing when a later one fails', () => {
  const { frame, postMessage, onDrawnChange } = renderDiagram()
  postMessage({ state: 'drawn', heightPx: 240 })
  postMessage({ state: 'failed' })
  expect(frame.style.height).toBe('1px')
  expect(frame.getAttribute('aria-hidden')).toBe('true')
  expect(onDrawnChange.mock.calls).toEqual([[true], [false]])
})

it('is sent its source when it is ready', () => {
  const { frame, postMessage } = renderDiagram()
  const post = vi.spyOn(frame.contentWindow!, 'postMessage').mockImplementation(() => undefined)
  postMessage({ state: 'ready' })
  expect(post.mock.calls).toEqual([[{ source: 'flowchart LR', isDark: false }, '*']])
})

it.each([null, 'drawn', { state: 'drawn' }, { state: 'drawn', heightPx: '9px' }])(
  'ignores an incomplete or invalid message: %j',
  (message) => {
    const { frame, postMessage, onDrawnChange } = renderDiagram()
    postMessage(message)
    expect(onDrawnChange).not.toHaveBeenCalled()
    expect(frame.getAttribute('aria-hidden')).toBe('true')
  },
)

it('ignores messages from other windows', () => {
  const { frame, postMessage, onDrawnChange } = renderDiagram()
  postMessage({ state: 'drawn', heightPx: 240 }, window)
  postMessage({ state: 'failed' }, null)
  expect(onDrawnChange).not.toHaveBeenCalled()
  expect(frame.getAttribute('aria-hidden')).toBe('true')
})

it.each([
  ['too high', 1e9, '1200px'],
  ['zero', 0, '1px'],
])('has the reported height, within limits: %s', (_, heightPx, height) => {
  const { frame, postMessage } = renderDiagram()
  postMessage({ state: 'drawn', heightPx })
  expect(frame.style.height).toBe(height)
})
