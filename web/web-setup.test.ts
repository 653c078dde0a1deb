import { expect, it, vi } from 'vitest'

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

it('frames go on after the focus has changed while timers were faked', async () => {
  const button = document.body.appendChild(document.createElement('button'))
  button.focus()
  await nextFrame()
  await nextFrame()
  vi.useFakeTimers()
  button.remove()
  vi.useRealTimers()
  await nextFrame()
  expect(document.activeElement).toBe(document.body)
})
