import { expect, it, onTestFinished, vi } from 'vitest'
import { startRecorder } from './recorder.ts'

it('releases the microphone, and listens to nothing, if the recording cannot begin', async () => {
  const stop = vi.fn<() => void>()
  Object.defineProperty(navigator, 'mediaDevices', {
    value: { getUserMedia: async () => ({ getTracks: () => [{ stop }] }) },
    configurable: true,
  })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'mediaDevices'))
  vi.stubGlobal(
    'MediaRecorder',
    class extends EventTarget {
      static isTypeSupported = () => true
      start() {
        throw new DOMException('no', 'InvalidStateError')
      }
    },
  )
  const createContext = vi.fn<() => void>()
  vi.stubGlobal(
    'AudioContext',
    class {
      constructor() {
        createContext()
      }
    },
  )
  await expect(startRecorder()).rejects.toThrow('no')
  expect(stop).toHaveBeenCalledOnce()
  expect(createContext).not.toHaveBeenCalled()
})
