import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

const spoken: string[] = []

beforeEach(() => {
  spoken.length = 0
  vi.resetModules()
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class extends EventTarget {
      lang = ''
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
    speak: ({ text, lang }: { text: string; lang: string }) => spoken.push(`${lang}: ${text}`),
  })
})

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

it('reads a reply that is still shown as plain text, and one that is rendered, each sentence in a language of its script', async () => {
  const { ReadAloudButton } = await import('./read-aloud-button.tsx')
  const plain = render(<ReadAloudButton messageId="a" text="Hello there. How are **you**?" />)
  press('Read aloud')
  await expect.poll(() => spoken).toEqual(['en-US: Hello there.', 'en-US: How are you?'])
  plain.unmount()
  spoken.length = 0
  render(
    <div className="is-reply">
      <div data-reply-text="">
        <p>Поезд отправляется в восемь часов.</p>
        <pre>code</pre>
      </div>
      <ReadAloudButton messageId="b" text="unused" />
    </div>,
  )
  press('Read aloud')
  await expect.poll(() => spoken).toEqual(['ru: Поезд отправляется в восемь часов.'])
  expect(screen.getByRole('button', { name: 'Stop reading' })).toBeDefined()
})

it('says nothing when it is stopped while its code loads', async () => {
  const { ReadAloudButton } = await import('./read-aloud-button.tsx')
  const { loadReader } = await import('./speech.ts')
  render(<ReadAloudButton messageId="a" text="Hello there." />)
  press('Read aloud')
  press('Stop reading')
  const { prepareReading } = await loadReader()
  prepareReading('Hello there.', [])
  expect(spoken).toEqual([])
  expect(screen.getByRole('button', { name: 'Read aloud' })).toBeDefined()
})

it('speaks once when it is stopped and started again while its code loads', async () => {
  const { ReadAloudButton } = await import('./read-aloud-button.tsx')
  render(<ReadAloudButton messageId="a" text="Hello there." />)
  press('Read aloud')
  press('Stop reading')
  press('Read aloud')
  await expect.poll(() => spoken).toEqual(['en-US: Hello there.'])
  const { loadReader } = await import('./speech.ts')
  const { prepareReading } = await loadReader()
  prepareReading('Hello there.', [])
  expect(spoken).toEqual(['en-US: Hello there.'])
})

it.each(['Hello there.', '```\ncode\n```'])(
  'ends when the browser refuses to speak, or nothing can be read: %j',
  async (text) => {
    const { ReadAloudButton } = await import('./read-aloud-button.tsx')
    Object.assign(speechSynthesis, {
      speak: (utterance: EventTarget) =>
        utterance.dispatchEvent(Object.assign(new Event('error'), { error: 'not-allowed' })),
    })
    render(<ReadAloudButton messageId="a" text={text} />)
    press('Read aloud')
    expect(await screen.findByRole('button', { name: 'Read aloud' })).toBeDefined()
  },
)

it('goes on with the other sentences when one cannot be spoken, and can still be stopped', async () => {
  const { ReadAloudButton } = await import('./read-aloud-button.tsx')
  const utterances: (EventTarget & { text: string })[] = []
  const cancel = vi.fn<() => void>()
  Object.assign(speechSynthesis, {
    cancel,
    speak: (utterance: EventTarget & { text: string }) => utterances.push(utterance),
  })
  render(<ReadAloudButton messageId="a" text="Hello there. How are you?" />)
  press('Read aloud')
  await expect.poll(() => utterances.length).toBe(2)
  const fire = (index: number, type: string) =>
    act(
      () =>
        void utterances[index]?.dispatchEvent(
          Object.assign(new Event(type), { error: 'language-unavailable' }),
        ),
    )
  fire(0, 'error')
  cancel.mockClear()
  press('Stop reading')
  expect(cancel).toHaveBeenCalledOnce()
  press('Read aloud')
  await expect.poll(() => utterances.length).toBe(4)
  fire(2, 'end')
  expect(screen.getByRole('button', { name: 'Stop reading' })).toBeDefined()
  fire(3, 'error')
  expect(screen.getByRole('button', { name: 'Read aloud' })).toBeDefined()
})

it(
  'reads no signs of Markdown of a reply that waits for its turn to be parsed',
  { tags: 'long' },
  async () => {
    const { ReadAloudButton } = await import('./read-aloud-button.tsx')
    const { Markdown } = await import('../markdown/markdown.tsx')
    // long texts use up the steps of this task
    const long = Array.from({ length: 40 }, (_, index) => `${index}\n\n${'- a *b* c\n'.repeat(400)}`)
    render(
      <>
        {long.map((text, index) => (
          <Markdown key={index} text={text} isStreaming={false} />
        ))}
        <div className="is-reply">
          <Markdown text="# A **title** with [a link](https://a.example)" isStreaming={false} />
          <ReadAloudButton messageId="a" text="# A **title** with [a link](https://a.example)" />
        </div>
      </>,
    )
    press('Read aloud')
    await expect.poll(() => spoken).toEqual(['en-US: A title with a link'])
  },
)
