import { expect, it, vi } from 'vitest'
import { openPopup } from './oauth-popup.ts'

it('OAUTH-03 the window says that it waits, until it is known where it goes', () => {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  vi.stubGlobal('open', () => frame.contentWindow)
  expect(openPopup()).toBe(frame.contentWindow)
  openPopup()
  expect(frame.contentDocument?.body.textContent).toBe('Opening the sign-in page…')
  frame.remove()
})

it('OAUTH-03 a window that is at a provider already is taken as it is', () => {
  const elsewhere = {
    get document(): Document {
      throw new DOMException('cross-origin', 'SecurityError')
    },
  }
  vi.stubGlobal('open', () => elsewhere)
  expect(openPopup()).toBe(elsewhere)
})

it('the page in the window cannot reach the tab behind it (L1)', () => {
  const opened = { opener: window, document, sessionStorage }
  vi.stubGlobal('open', () => opened)
  openPopup()
  expect(opened.opener).toBeNull()
})

it('OAUTH-22 a blocked window is none', () => {
  vi.stubGlobal('open', () => null)
  expect(openPopup()).toBeNull()
})
