import { expect, it, vi } from 'vitest'
import { openPopup } from './oauth-popup.ts'

it('OAUTH-03 the popup shows a loading message until its URL is known', () => {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  vi.stubGlobal('open', () => frame.contentWindow)
  expect(openPopup()).toBe(frame.contentWindow)
  openPopup()
  expect(frame.contentDocument?.body.textContent).toBe('Opening the sign-in page…')
  frame.remove()
})

it('OAUTH-03 a popup that already shows a provider is reused unchanged', () => {
  const crossOriginWindow = {
    get document(): Document {
      throw new DOMException('cross-origin', 'SecurityError')
    },
  }
  vi.stubGlobal('open', () => crossOriginWindow)
  expect(openPopup()).toBe(crossOriginWindow)
})

it('the page in the popup cannot reach the tab that opened it (L1)', () => {
  const popup = { opener: window, document, sessionStorage }
  vi.stubGlobal('open', () => popup)
  openPopup()
  expect(popup.opener).toBeNull()
})

it('OAUTH-22 returns null when the popup is blocked', () => {
  vi.stubGlobal('open', () => null)
  expect(openPopup()).toBeNull()
})
