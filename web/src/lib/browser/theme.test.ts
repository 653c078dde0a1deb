import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { applyAccountTheme, setTheme, getTheme, startTheme, useTheme } from './theme.ts'

const root = document.documentElement

afterEach(() => {
  setTheme('system')
  localStorage.clear()
  document.head.replaceChildren()
})

it('LIB-20 DEC-101 follows the system until a theme is selected, and again after “system” is selected', () => {
  const { result } = renderHook(useTheme)
  expect(result.current).toBe('system')
  act(() => setTheme('dark'))
  expect(result.current).toBe('dark')
  expect(root.dataset['theme']).toBe('dark')
  act(() => setTheme('system'))
  expect(result.current).toBe('system')
  expect(root.dataset['theme']).toBeUndefined()
  expect(localStorage.getItem('juno.theme')).toBe('system')
})

it('LIB-20 stores the theme in this browser', () => {
  setTheme('dark')
  expect(localStorage.getItem('juno.theme')).toBe('dark')
  setTheme('light')
  expect(localStorage.getItem('juno.theme')).toBe('light')
})

it('DEC-101 applies the theme of the account, unless one was selected in this browser', () => {
  applyAccountTheme('dark')
  expect(getTheme()).toBe('dark')
  setTheme('system')
  applyAccountTheme('dark')
  expect(getTheme()).toBe('system')
})

it('LIB-20 applies the theme that was selected in another tab, and ignores an unknown value', () => {
  startTheme()
  dispatchEvent(new StorageEvent('storage', { key: 'juno.theme', newValue: 'light' }))
  expect(getTheme()).toBe('light')
  dispatchEvent(new StorageEvent('storage', { key: 'other', newValue: 'dark' }))
  expect(getTheme()).toBe('light')
  dispatchEvent(new StorageEvent('storage', { key: 'juno.theme', newValue: 'sepia' }))
  expect(getTheme()).toBe('system')
})

it('LIB-20 sets the browser’s theme colour to that of the selected theme', () => {
  document.head.innerHTML =
    '<meta name="theme-color" content="#fff" media="(prefers-color-scheme: light)">' +
    '<meta name="theme-color" content="#000" media="(prefers-color-scheme: dark)">'
  const getThemeColours = () => [...document.querySelectorAll('meta')].map((meta) => meta.content)
  setTheme('dark')
  expect(getThemeColours()).toEqual(['#000', '#000'])
  setTheme('light')
  expect(getThemeColours()).toEqual(['#fff', '#fff'])
  setTheme('system')
  expect(getThemeColours()).toEqual(['#fff', '#000'])
})
