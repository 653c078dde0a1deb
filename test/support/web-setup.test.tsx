import { render, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { expect, it } from 'vitest'

const answer = Promise.withResolvers<string>()

function Answer() {
  const [text, setText] = useState('no answer yet')
  useEffect(() => void answer.promise.then(setText), [])
  return text
}

it('allows an update that happens while a test waits for something else', async () => {
  render(<Answer />)
  answer.resolve('the answer')
  // React has the update before the test goes on
  await answer.promise
  expect(await screen.findByText('the answer')).toBeTruthy()
})
