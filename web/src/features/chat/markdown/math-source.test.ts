import { describe, expect, it } from 'vitest'
import { restoreSource, splitAtPlaceholders, extractMath } from './math-source.ts'

const findFormulas = (text: string) =>
  extractMath(text).formulas.map(({ tex, displayMode }) => (displayMode ? `[${tex}]` : tex))

describe('formulas are found', () => {
  it.each([
    ['Euler: $e^{i\\pi} = -1$.', ['e^{i\\pi} = -1']],
    ['for $n$ and $x_1$ in $f(x)$', ['n', 'x_1', 'f(x)']],
    ['so \\(a + b\\) is', ['a + b']],
    ['$$\\int_0^1 x\\,dx$$', ['[\\int_0^1 x\\,dx]']],
    ['it is $$x^2$$ here', ['x^2']],
    ['$$\na\n+ b\n$$', ['[a\n+ b]']],
    [
      '\\[\nx = \\begin{pmatrix}1 \\\\[2pt] 2\\end{pmatrix}\n\\]',
      ['[x = \\begin{pmatrix}1 \\\\[2pt] 2\\end{pmatrix}]'],
    ],
    ['- where $\\alpha$ holds\n- and \\(\\beta\\)', ['\\alpha', '\\beta']],
    ['> $$\n> a = b\n> $$', ['[a = b]']],
    ['$2^{10}$ is 1,024', ['2^{10}']],
    ['**$x^2$**', ['x^2']],
    ['\\(v = \\text{speed of the car}\\)', ['v = \\text{speed of the car}']],
  ])('in %j', (text, expected) => expect(findFormulas(text)).toEqual(expected))
})

describe('no formulas are found', () => {
  it.each([
    'It is $5 and $10.',
    'between $5-$10, or $5–$10',
    '**$5** or **$6**',
    'US$5 and US$6',
    'costs 5$ and 6$ each',
    '$1,000/month or $10,000/year',
    'A $5_000 budget, a $10_000 one',
    'from $100k to $200k (a $100k raise)',
    'echo $HOME/bin:$PATH',
    'echo $A $B; ${a}-${b}',
    'if ($a == $b) return $c;',
    'a \\$x^2\\$ that is escaped',
    'see \\[the note below\\] and \\(optional words\\)',
    'C:\\\\(x\\)',
    'one `$a` and `$b^2`',
    '$$ is slang for money',
    '$$\n\nnothing\n\n$$',
    'no marks at all',
  ])('in %j', (text) => expect(extractMath(text)).toEqual({ markdown: text, formulas: [] }))

  it('in literal placeholder characters', () => {
    const text = 'x\uE0000\uE001 $y^2$ and $5\uE000'
    const { markdown, formulas } = extractMath(text)
    const pieces = splitAtPlaceholders(markdown, formulas)
    expect(pieces.filter((piece) => typeof piece !== 'string')).toEqual([
      { tex: 'y^2', displayMode: false, source: '$y^2$' },
    ])
    expect(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.source)).join('')).toBe(text)
    expect(restoreSource(markdown, formulas)).toBe(text)
  })

  it.each(['$$ a\n\nb $$ c', '\\[ a\n \nb \\] c', '$$ a\n~~~\nb $$'])(
    'across the end of a paragraph or of code: %j',
    (text) => expect(extractMath(text).formulas).toEqual([]),
  )

  it('in TeX that is too long to be rendered', () =>
    expect(findFormulas(`$${'x+'.repeat(3_000)}y$`)).toEqual([]))
})

it.each(['$', '$$', '\\[', '\\(', '\\', '$x', '$$x', '\\[x', '\\(\\', '$\\', '$ '])(
  'extracts formulas from 100,000 characters of %j in less than 2 s',
  (piece) => {
    const text = piece.repeat(100_000 / piece.length)
    const before = process.threadCpuUsage()
    extractMath(text)
    const { user, system } = process.threadCpuUsage(before)
    // quadratic time would be minutes; measured as CPU time of the thread, so that the test passes on a busy machine
    expect((user + system) / 1_000).toBeLessThan(2_000)
  },
)
