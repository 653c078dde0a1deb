import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { SettingsPage } from './settings-page.tsx'

const noop = () => undefined
/** What the sections ask for is still on its way. */
const pending = { 'account.read': () => new Promise<never>(noop) }

it('a section can be chosen again after scrolling away from it', async () => {
  fakeApi(pending)
  const scrollIntoView = vi.fn<() => void>()
  Element.prototype.scrollIntoView = scrollIntoView
  renderPage(<SettingsPage user={{ sub: 'u1', email: 'ann@example.org', fullName: '' }} importCard={null} />)
  const section = Object.assign(document.createElement('div'), { id: 'usage' })
  document.body.append(section)
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(9_000)
  const top = vi.spyOn(section, 'getBoundingClientRect')
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sections' })
  for (const times of [1, 2]) {
    fireEvent.change(list, { target: { value: 'usage' } })
    expect(scrollIntoView).toHaveBeenCalledTimes(times)
    expect(list.value).toBe('usage')
    // browsers report a change only where the value is another one
    top.mockReturnValue(new DOMRect(0, 2_000))
    fireEvent.scroll(window)
    expect(list.value).toBe('profile')
  }
  expect(location.hash).toBe('#usage')
})

it('an address that is entered while the page is open leads to its section', async () => {
  fakeApi(pending)
  Element.prototype.scrollIntoView = vi.fn<() => void>()
  renderPage(<SettingsPage user={{ sub: 'u1', email: 'ann@example.org', fullName: '' }} importCard={null} />)
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sections' })
  for (const id of ['links', 'memory']) {
    history.replaceState(null, '', `#${id}`)
    act(() => void dispatchEvent(new Event('hashchange')))
    expect(list.value).toBe(id)
  }
})

it('an address with the name of a property that each object has opens no section', () => {
  fakeApi(pending)
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: noop, removeEventListener: noop }))
  history.replaceState(null, '', '#constructor')
  renderPage(<SettingsPage user={{ sub: 'u1', email: 'ann@example.org', fullName: '' }} importCard={null} />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings')
  history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})
