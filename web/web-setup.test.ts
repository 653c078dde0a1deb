import { expect, it, vi } from 'vitest'

const waitForFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

it('animation frames still run after the focus changed while timers were faked', async () => {
  const button = document.body.appendChild(document.createElement('button'))
  button.focus()
  await waitForFrame()
  await waitForFrame()
  vi.useFakeTimers()
  button.remove()
  vi.useRealTimers()
  await waitForFrame()
  expect(document.activeElement).toBe(document.body)
})
