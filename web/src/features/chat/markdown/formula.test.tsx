import { render, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Markdown } from './markdown.tsx'

const renderFormulas = async (text: string, isStreaming = false) => {
  const { container } = render(<Markdown text={text} isStreaming={isStreaming} />)
  await waitFor(() => expect(container.querySelector('.katex')).not.toBeNull())
  return container
}
const readTex = (container: Element) =>
  [...container.querySelectorAll('annotation')].map(({ textContent }) => textContent)

describe.each([false, true])('isStreaming: %s', (isStreaming) => {
  it('renders formulas in text, lists, tables, quotes and on their own lines', async () => {
    const text = [
      'For $a_1*b_1*c$ and \\(d\\):',
      '- $x^2$\n- **$y^2$**',
      '| n | is |\n| - | - |\n| 1 | $|z|^2$ |',
      '$$\np\n+ q\n$$',
      '> \\[ r = s \\]',
      'The end.',
    ].join('\n\n')
    const container = await renderFormulas(text, isStreaming)
    await waitFor(() =>
      expect(readTex(container)).toEqual(['a_1*b_1*c', 'd', 'x^2', 'y^2', '|z|^2', 'p\n+ q', 'r = s']),
    )
    expect(container.querySelectorAll('.katex-display')).toHaveLength(2)
    expect(container.querySelectorAll('em')).toHaveLength(0)
    expect(container.querySelector('strong .katex')).not.toBeNull()
    expect(container.querySelectorAll('li')).toHaveLength(2)
    expect(container.textContent).not.toMatch(/[\uE000\uE001$]/)
  })

  it('marks only text around a scrolling formula (a scroller in pretty text crashes Chromium 147)', async () => {
    const container = await renderFormulas(
      '$$a$$\n\nWith $b$ inside.\n\n- $$c$$\n- $d$\n\n> $$e$$',
      isStreaming,
    )
    await waitFor(() => expect(container.querySelectorAll('.katex-display')).toHaveLength(3))
    const scrollerMarks = [...container.querySelectorAll('p, li')].map((element) =>
      element.classList.contains('has-scroller'),
    )
    expect(scrollerMarks).toEqual([true, false, true, false, true])
  })

  it('leaves amounts of money, code and URLs unchanged', async () => {
    const text =
      'It is $5 and $10. `$x^2$` [here](https://a.example/$x^2$)\n\n```sh\necho "$a^$b" \\(c\\)\n```\n\n    $i^2$\n\nEnd $e$'
    const container = await renderFormulas(text, isStreaming)
    await waitFor(() => expect(readTex(container)).toEqual(['e']))
    expect(container.textContent).toContain('It is $5 and $10. $x^2$ here')
    expect(container.textContent).toContain('echo "$a^$b" \\(c\\)')
    expect(container.textContent).toContain('$i^2$')
    expect(container.querySelector('a')?.getAttribute('href')).toContain('$x%5E2$')
  })

  it.each([
    '$\\href{javascript:alert(1)}{x}$',
    '$\\url{https://evil.example/x^2}$',
    '$\\includegraphics{https://evil.example/x_1.png}$',
    '$\\htmlData{a=b}{x}$',
    '$\\htmlStyle{position:fixed}{x}$',
    '$$\\def\\x{\\x\\x}\\x$$',
    '$\\rule{9999em}{9999em}$',
    '$x^2 <script>alert(1)</script>$',
    '$\\unknown{x}$ and $\\frac{1}$',
    '<formula tex="x^2" display="block"></formula> $x^2$',
  ])('DEC-012 makes %j harmless', async (hostileText) => {
    const container = await renderFormulas(`${hostileText}\n\n$n$`, isStreaming)
    await waitFor(() => expect(readTex(container)).toContain('n'))
    expect(container.querySelectorAll('a, img, script, formula, [data-a]')).toHaveLength(0)
    const styles = [...container.querySelectorAll<HTMLElement>('[style]')].map(({ style }) => style)
    expect(styles.map(({ position }) => position)).not.toContain('fixed')
    for (const { height, width, borderRightWidth, borderTopWidth } of styles)
      for (const size of [height, width, borderRightWidth, borderTopWidth])
        expect(Number.parseFloat(size) || 0).toBeLessThanOrEqual(20)
  })
})

it('draws formulas of chemistry', async () => {
  const text = '$\\ce{2H2 + O2 -> 2H2O}$, $\\pu{123 kJ//mol}$\n\n$$\\ce{NaOH(aq,$\\infty$)}$$'
  const container = await renderFormulas(text)
  await waitFor(() => expect(container.querySelectorAll('.katex')).toHaveLength(3))
})

it('shows invalid TeX as code', async () => {
  const container = await renderFormulas('$\\frac{1}$ and $n$')
  await waitFor(() =>
    expect([...container.querySelectorAll('code')].map((code) => code.textContent)).toEqual(['\\frac{1}']),
  )
})
