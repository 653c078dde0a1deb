import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { reloadPage } from '../../lib/reload-page.ts'
import { LanguageChoice } from './language-choice.tsx'

vi.mock('../../lib/reload-page.ts', () => ({ reloadPage: vi.fn<() => void>() }))

const getChoice = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Language' })
const choose = (language: string) => fireEvent.change(getChoice(), { target: { value: language } })

beforeEach(() => {
  vi.mocked(reloadPage).mockReset()
})

it('lists the languages by their own names, and the browser’s language', () => {
  render(<LanguageChoice label="Language" />)
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

it('stores the chosen language and reloads the page', () => {
  render(<LanguageChoice label="Language" />)
  choose('pt-BR')
  expect(localStorage.getItem('juno.language')).toBe('pt-BR')
  expect(getChoice().value).toBe('pt-BR')
  expect(reloadPage).toHaveBeenCalledOnce()
  choose('')
  expect(localStorage.getItem('juno.language')).toBeNull()
})

it('a choice ends a visit in another language', () => {
  sessionStorage.setItem('juno.language', 'ja')
  history.replaceState(null, '', '/settings?lang=ja&tab=1')
  render(<LanguageChoice label="Language" />)
  choose('de')
  expect(sessionStorage.getItem('juno.language')).toBeNull()
  expect(location.search).toBe('?tab=1')
  history.replaceState(null, '', '/')
})
