import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { Composer } from './composer.tsx'

const onSend = vi.fn<(text: string) => boolean>()
const onStop = vi.fn<() => void>()
const onUnreachable = vi.fn<() => void>()

beforeEach(() => {
  onSend.mockReset().mockReturnValue(true)
  onStop.mockReset()
  onUnreachable.mockReset()
})

const composer = (props: Partial<Parameters<typeof Composer>[0]> = {}) => (
  <Composer
    assistantName="Ada"
    draftKey="u/s"
    isLoading={false}
    stopping={false}
    onSend={onSend}
    onStop={onStop}
    onUnreachable={onUnreachable}
    {...props}
  />
)
const input = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Message Ada...')
const type = (value: string) => fireEvent.change(input(), { target: { value } })
const press = (key: string, init: object = {}) => fireEvent.keyDown(input(), { key, ...init })

it('CHAT-30 CHAT-35 CHAT-36 CHAT-01 names the assistant', () => {
  render(composer())
  expect(input()).toBeTruthy()
  expect(screen.getByText('Press Enter to send • Shift + Enter for new line')).toBeTruthy()
  expect(screen.getByText('Ada Online')).toBeTruthy()
})

it('CHAT-31 LIM-04 grows between 52 and 120 px', () => {
  const height = vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockReturnValue(26)
  render(composer())
  expect(input().style.height).toBe('52px')
  height.mockReturnValue(80)
  type('a\nb')
  expect(input().style.height).toBe('80px')
  height.mockReturnValue(400)
  type('a\nb\nc')
  expect([input().style.height, input().style.overflowY]).toEqual(['120px', 'auto'])
})

it('CHAT-32 Enter sends and empties the composer', () => {
  render(composer())
  type('Hi')
  expect(press('Enter')).toBe(false)
  expect(onSend).toHaveBeenCalledWith('Hi')
  expect(input().value).toBe('')
})

it('CHAT-33 Shift+Enter is left to the browser, which adds a line', () => {
  render(composer())
  type('Hi')
  expect(press('Enter', { shiftKey: true })).toBe(true)
  expect(onSend).not.toHaveBeenCalled()
})

it.each([{ isComposing: true }, { keyCode: 229 }])('leaves Enter to an input method: %o', (init) => {
  render(composer())
  type('にほん')
  expect(press('Enter', init)).toBe(true)
  expect(onSend).not.toHaveBeenCalled()
})

it('CHAT-34 CHAT-38 Enter is ignored while loading, and the text stays', () => {
  render(composer({ isLoading: true }))
  type('Next')
  expect(press('Enter')).toBe(false)
  expect(onSend).not.toHaveBeenCalled()
  expect(input().value).toBe('Next')
})

it.each(['', '  \n '])('CHAT-37 CHAT-39 does not send %j', (text) => {
  render(composer())
  type(text)
  press('Enter')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  expect(onSend).not.toHaveBeenCalled()
})

it('CHAT-13 CHAT-47 Stop takes the place of Send, also by Escape', () => {
  const view = render(composer({ isLoading: true }))
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(onStop).toHaveBeenCalledTimes(2)
  view.rerender(composer())
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(onStop).toHaveBeenCalledTimes(2)
})

it('leaves Escape to what closes by it', () => {
  render(composer({ isLoading: true }))
  const closing = (event: Event) => event.preventDefault()
  document.addEventListener('keydown', closing, { capture: true })
  fireEvent.keyDown(document.body, { key: 'Escape' })
  document.removeEventListener('keydown', closing, { capture: true })
  expect(onStop).not.toHaveBeenCalled()
})

it('keeps its text when sending was refused', () => {
  onSend.mockReturnValue(false)
  render(composer())
  type('Hi')
  press('Enter')
  expect(input().value).toBe('Hi')
})

it('keeps a draft for each conversation over a reload', () => {
  render(composer()).unmount()
  render(composer())
  type('half a thou')
  const second = render(composer({ draftKey: 'u/other' }))
  expect(second.container.querySelector('textarea')?.value).toBe('')
  second.unmount()
  expect(render(composer()).container.querySelector('textarea')?.value).toBe('half a thou')
})

it('DEC-043 hides the indicator while offline, and sends nothing then', async () => {
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new TypeError('offline')))
  render(composer())
  type('Hi')
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await act(async () => window.dispatchEvent(new Event('offline')))
  expect(screen.queryByText('Ada Online')).toBeNull()
  press('Enter')
  expect(onUnreachable).toHaveBeenCalledOnce()
  expect([onSend.mock.calls.length, input().value]).toEqual([0, 'Hi'])
  onLine.mockReturnValue(true)
  await act(async () => window.dispatchEvent(new Event('online')))
  press('Enter')
  expect(onSend).toHaveBeenCalledWith('Hi')
})

it('sends while the browser has no network but the service answers', async () => {
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockResolvedValue(Response.json({ ok: true, version: '1' })))
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  render(composer())
  type('Hi')
  await waitFor(() => {
    press('Enter')
    expect(onSend).toHaveBeenCalledWith('Hi')
  })
})
