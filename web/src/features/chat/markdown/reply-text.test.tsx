import { render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Markdown } from './markdown.tsx'
import { ReplyText } from './reply-text.tsx'
import { UserText } from './user-text.tsx'

afterEach(() => document.documentElement.setAttribute('lang', 'en'))

/** Replaces the texts as the translators of browsers do, which leave out what is not to be translated. */
function translatePage(root: Element) {
  document.documentElement.lang = 'de'
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (text.parentElement?.closest('[translate=no]')) continue
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = `(${text.data})`
    outer.append(inner)
    text.replaceWith(outer)
  }
}

it('a translated page shows the whole reply while it streams, when it ends, and when it is replaced', async () => {
  document.documentElement.lang = 'en'
  const { container, rerender, findByText } = render(<ReplyText text="Remember" isStreaming />)
  await findByText('Remember', { selector: '.prose *' })
  translatePage(container)
  rerender(<ReplyText text="Remember this `code`" isStreaming />)
  translatePage(container)
  rerender(<ReplyText text="Remember this `code` for ever" isStreaming />)
  expect(container.textContent).toBe('Remember this code for ever')
  rerender(<ReplyText text="Remember this `code` for ever." />)
  translatePage(container)
  expect(container.textContent).toBe('(Remember this )code( for ever.)')
  rerender(<ReplyText text="Another **version**" />)
  expect(container.textContent).toBe('Another version')
})

it('shows a message of very many parts as it was written', async () => {
  const text = 'a\n```\nb\n```\n'.repeat(300)
  const { container, findByText } = render(<UserText text={text} />)
  await findByText('Shown as plain text, because formatting it would take too long:')
  expect(container.textContent).toContain(text.trim())
  expect(container.querySelectorAll('button')).toHaveLength(0)
})

it('does not translate code', () => {
  const { container } = render(<Markdown text={'a `b`\n\n```\nc\n```'} isStreaming={false} />)
  for (const code of container.querySelectorAll('code')) expect(code.closest('[translate=no]')).not.toBeNull()
})
