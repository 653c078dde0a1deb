import katex from 'katex'
import { expect, it } from 'vitest'
import { renderTex } from './katex-source.ts'

const renderText = (tex: string): string => {
  const html = renderTex(tex, {
    displayMode: false,
    render: (source, { displayMode }) =>
      katex.renderToString(source, { displayMode, output: 'html', strict: false }),
  })
  return html.replaceAll(/<[^>]{0,500}>/g, '')
}

it.each(['align', 'align*', 'alignat', 'eqnarray', 'gather', 'multline', 'split'])(
  'draws the environment %s inside a sentence',
  (name) => {
    const columns = name.startsWith('alignat') ? '{1}' : ''
    const formula = /gather|multline/.test(name) ? 'a = b' : 'a &= b'
    expect(renderText(String.raw`\begin{${name}}${columns} ${formula} \end{${name}}`)).toContain('a')
  },
)

it.each([
  [String.raw`\ref{a^b}`, 'a^b'],
  [String.raw`\eqref{eq~1}`, '(eq~1)'],
  [String.raw`\ref{x^}`, 'x^'],
  [String.raw`\ref{a_b}`, 'a_b'],
])('writes the signs of a reference as they are: %s', (tex, text) => {
  expect(renderText(tex).replaceAll('\u200b', '').replaceAll('\u02c6', '^')).toContain(text)
})
