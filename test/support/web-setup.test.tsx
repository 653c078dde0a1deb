import { render, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { expect, it } from 'vitest'

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
