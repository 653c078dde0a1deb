import { render, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { expect, it } from 'vitest'
import { restorePageObjects } from './page-objects.ts'

const response = Promise.withResolvers<string>()

function Loaded() {
  const [text, setText] = useState('no answer yet')
  useEffect(() => void response.promise.then(setText), [])
  return text
}

it('allows an update that happens while a test waits for something else', async () => {
  render(<Loaded />)
  response.resolve('the answer')
  // React has the update before the test goes on
  await response.promise
  expect(await screen.findByText('the answer')).toBeTruthy()
})

it('takes back what a file has left in the page’s objects', () => {
  const { locks } = navigator
  const read = () => [
    Reflect.get(Element.prototype, 'scrollTo'),
    Reflect.get(URL, 'createObjectURL'),
    Reflect.get(window, 'matchMedia'),
  ]
  const before: unknown[] = read()
  Object.defineProperty(navigator, 'locks', { configurable: true, value: {} })
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: {} })
  Element.prototype.scrollTo = () => undefined
  Reflect.deleteProperty(URL, 'createObjectURL')
  Object.defineProperty(window, 'matchMedia', { configurable: true, value: undefined })
  Object.defineProperty(document, 'activeElement', { configurable: true, value: null })
  restorePageObjects()
  expect(navigator.locks).toBe(locks)
  expect('serviceWorker' in navigator).toBe(false)
  expect(read()).toEqual(before)
  expect(document.activeElement).toBe(document.body)
})
