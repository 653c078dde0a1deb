import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

const spoken: string[] = []

beforeEach(() => {
  spoken.length = 0
  vi.resetModules()
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class extends EventTarget {
      readonly text: string
      constructor(text: string) {
        super()
        this.text = text
      }
    },
  )
  vi.stubGlobal('speechSynthesis', {
    getVoices: () => [{}],
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    cancel: () => undefined,
    speak: ({ text }: { text: string }) => spoken.push(text),
  })
})

it('reads a reply that is still shown as plain text, and one that is rendered without its code', async () => {
  const { ReadAloudButton } = await import('./read-aloud-button.tsx')
  const plain = render(<ReadAloudButton messageId="a" text="Hello there. How are you?" />)
  fireEvent.click(screen.getByRole('button', { name: 'Read aloud' }))
  expect(spoken).toEqual(['Hello there.', 'How are you?'])
  plain.unmount()
  spoken.length = 0
  render(
    <div className="is-reply">
      <div data-reply-text="">
        <p>Hello.</p>
        <pre>code</pre>
      </div>
      <ReadAloudButton messageId="b" text="Hello. ```code```" />
    </div>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Read aloud' }))
  expect(spoken).toEqual(['Hello.'])
  expect(screen.getByRole('button', { name: 'Stop reading' })).toBeDefined()
})
