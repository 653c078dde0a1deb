import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PreviewFrame, type StopReason } from './preview-frame.tsx'

const origin = 'https://sandbox.example'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function renderFrame() {
  const onStop = vi.fn<(reason: StopReason) => void>()
  render(
    <PreviewFrame
      origin={origin}
      kind="html"
      code="<p>"
      title="Preview"
      storage={{ current: {} }}
      answers={[]}
      onStop={onStop}
      onNotice={() => undefined}
      onRestart={() => undefined}
    />,
  )
  const frame = screen.getByTitle<HTMLIFrameElement>('Preview')
  vi.spyOn(frame.contentWindow!, 'postMessage').mockImplementation(() => undefined)
  const receive = (method: string) => {
    const event = new MessageEvent('message', { data: { jsonrpc: '2.0', method } })
    Object.defineProperties(event, {
      source: { value: frame.contentWindow },
      origin: { value: origin },
    })
    act(() => void dispatchEvent(event))
  }
  const wait = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))
  return { onStop, receive, wait }
}

it('stops a preview that no longer answers, but not a sandbox that loads slowly', async () => {
  const { onStop, receive, wait } = renderFrame()
  await wait(20)
  receive('ui/notifications/sandbox-proxy-ready')
  await wait(5)
  receive('preview/pong')
  await wait(5)
  expect(onStop).not.toHaveBeenCalled()
  await wait(2)
  expect(onStop).toHaveBeenCalledExactlyOnceWith('silent')
})

it('does not show a preview that its browser would let reach the network', async () => {
  const { onStop, receive } = renderFrame()
  receive('frame/unguarded')
  expect(onStop).toHaveBeenCalledExactlyOnceWith('unguarded')
})

it('stops a sandbox that never loads', async () => {
  const { onStop, wait } = renderFrame()
  await wait(40)
  expect(onStop).toHaveBeenCalledWith('silent')
})
