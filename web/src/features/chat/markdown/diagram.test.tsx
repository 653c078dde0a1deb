import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Diagram } from './diagram.tsx'

const renderDiagram = () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  const onResult = vi.fn<(failure?: object) => void>()
  render(<Diagram source="flowchart LR" isHidden={false} onResult={onResult} />)
  const frame = screen.getByTitle<HTMLIFrameElement>('Diagram')
  const receiveMessage = (data: unknown, source: Window | null = frame.contentWindow) => {
    act(() => void dispatchEvent(new MessageEvent('message', { data, source })))
  }
  return { frame, receiveMessage, onResult }
}

it('has no origin, and takes no space until it is drawn', () => {
  const { frame, receiveMessage, onResult } = renderDiagram()
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
  expect(frame.getAttribute('aria-hidden')).toBe('true')
  receiveMessage({ state: 'drawn', heightPx: 240 })
  expect(frame.style.height).toBe('240px')
  expect(frame.hasAttribute('aria-hidden')).toBe(false)
  expect(onResult.mock.calls).toEqual([[]])
})

it('hides the previous drawing when a later one fails', () => {
  const { frame, receiveMessage, onResult } = renderDiagram()
  receiveMessage({ state: 'drawn', heightPx: 240 })
  receiveMessage({ state: 'failed', line: 2, found: 'x'.repeat(300), reason: 7, isUnknown: 'yes' })
  expect(frame.style.height).toBe('1px')
  expect(frame.getAttribute('aria-hidden')).toBe('true')
  expect(onResult.mock.calls).toEqual([[], [{ line: 2, found: 'x'.repeat(200) }]])
})

it('is sent its source when it is ready', () => {
  const { frame, receiveMessage } = renderDiagram()
  const post = vi.spyOn(frame.contentWindow!, 'postMessage').mockImplementation(() => undefined)
  receiveMessage({ state: 'ready' })
  expect(post.mock.calls).toEqual([[{ source: 'flowchart LR', isDark: false }, '*']])
})

it('is sent its source again when the frame has loaded anew, because it was moved', () => {
  const { frame, receiveMessage } = renderDiagram()
  const post = vi.spyOn(frame.contentWindow!, 'postMessage').mockImplementation(() => undefined)
  receiveMessage({ state: 'ready' })
  receiveMessage({ state: 'ready' })
  expect(post).toHaveBeenCalledTimes(2)
})

it.each([null, 'drawn', { state: 'drawn' }, { state: 'drawn', heightPx: '9px' }])(
  'ignores an incomplete or invalid message: %j',
  (message) => {
    const { frame, receiveMessage, onResult } = renderDiagram()
    receiveMessage(message)
    expect(onResult).not.toHaveBeenCalled()
    expect(frame.getAttribute('aria-hidden')).toBe('true')
  },
)

it('ignores messages from other windows', () => {
  const { frame, receiveMessage, onResult } = renderDiagram()
  receiveMessage({ state: 'drawn', heightPx: 240 }, window)
  receiveMessage({ state: 'failed' }, null)
  expect(onResult).not.toHaveBeenCalled()
  expect(frame.getAttribute('aria-hidden')).toBe('true')
})

it.each([
  ['too high', 1e9, '1200px'],
  ['zero', 0, '1px'],
])('has the reported height, within limits: %s', (_, heightPx, height) => {
  const { frame, receiveMessage } = renderDiagram()
  receiveMessage({ state: 'drawn', heightPx })
  expect(frame.style.height).toBe(height)
})
