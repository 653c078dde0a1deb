import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { canReloadSilently, reloadPage } from '../../lib/browser/reload-page.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { unsavedState } from '../../lib/input/leave-guard.ts'
import { LanguageChoice } from './language-choice.tsx'

vi.mock('../../lib/browser/reload-page.ts', () => ({
  reloadPage: vi.fn<() => void>(),
  canReloadSilently: vi.fn<() => boolean>(() => true),
}))

const getChoice = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Language' })
const choose = (language: string) => fireEvent.change(getChoice(), { target: { value: language } })

const account = {
  profile: { display_name: '', avatar_id: null },
  settings: { keep_conversations: true, store_uploads: true, theme: null },
}
const renderChoice = () => {
  const api = fakeApi({ 'account.settings': () => account })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LanguageChoice label="Language" />
    </QueryClientProvider>,
  )
  return api
}

beforeEach(() => {
  vi.mocked(reloadPage).mockReset()
})

it('lists the languages by their own names, and the browser’s language', () => {
  renderChoice()
  expect([...getChoice().options].map(({ text }) => text)).toEqual([
    'Browser’s language',
    'English',
    'العربية',
    'Deutsch',
    'Español',
    'Français',
    '日本語',
    'Português (Brasil)',
  ])
  expect(getChoice().value).toBe('')
})

it('stores the chosen language here and with the account, then reloads the page', async () => {
  const api = renderChoice()
  choose('pt-BR')
  expect(localStorage.getItem('juno.language')).toBe('pt-BR')
  expect(getChoice().value).toBe('pt-BR')
  await vi.waitFor(() => expect(reloadPage).toHaveBeenCalledOnce())
  choose('')
  expect(localStorage.getItem('juno.language')).toBeNull()
  await vi.waitFor(() => expect(reloadPage).toHaveBeenCalledTimes(2))
  expect(api.requestsTo('account.settings').map(({ body }) => body)).toEqual([
    { language: 'pt-BR' },
    { language: '' },
  ])
})

it('stores the last of several languages here and with the account, and reloads the page once', async () => {
  const saves: (() => void)[] = []
  const api = fakeApi({
    'account.settings': () => new Promise((resolve) => saves.push(() => resolve(account))),
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LanguageChoice label="Language" />
    </QueryClientProvider>,
  )
  choose('es')
  choose('fr')
  await vi.waitFor(() => expect(saves).toHaveLength(1))
  saves[0]?.()
  await vi.waitFor(() => expect(saves).toHaveLength(2))
  expect(reloadPage).not.toHaveBeenCalled()
  saves[1]?.()
  await vi.waitFor(() => expect(reloadPage).toHaveBeenCalledOnce())
  expect(localStorage.getItem('juno.language')).toBe('fr')
  expect(api.requestsTo('account.settings').map(({ body }) => body)).toEqual([
    { language: 'es' },
    { language: 'fr' },
  ])
})

it('has the focus again on the page that was reloaded for it, once', async () => {
  renderChoice()
  expect(document.activeElement).toBe(document.body)
  choose('de')
  await vi.waitFor(() => expect(reloadPage).toHaveBeenCalledOnce())
  cleanup()
  renderChoice()
  expect(document.activeElement).toBe(getChoice())
  cleanup()
  renderChoice()
  expect(document.activeElement).toBe(document.body)
})

it('is neither stored nor shown before the user agrees to lose what is not saved', () => {
  vi.mocked(canReloadSilently).mockReturnValueOnce(false)
  const api = renderChoice()
  choose('de')
  expect([getChoice().value, localStorage.getItem('juno.language'), api.requests]).toEqual(['', null, []])
  act(() => unsavedState.getState().leave?.())
  unsavedState.setState({ isUnsaved: false })
  // the browser does not ask again
  dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect([getChoice().value, localStorage.getItem('juno.language')]).toEqual(['de', 'de'])
})

it('shows the language of the account where none was chosen', () => {
  localStorage.setItem('juno.account-language', 'fr')
  renderChoice()
  expect(getChoice().value).toBe('fr')
})

it('a choice ends a visit in another language', async () => {
  sessionStorage.setItem('juno.language', 'ja')
  history.replaceState(null, '', '/settings?lang=ja&tab=1')
  renderChoice()
  choose('de')
  expect(sessionStorage.getItem('juno.language')).toBeNull()
  await vi.waitFor(() => expect(location.search).toBe('?tab=1'))
  history.replaceState(null, '', '/')
})
