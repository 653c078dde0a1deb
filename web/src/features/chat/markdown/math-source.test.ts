import { describe, expect, it } from 'vitest'
import { putBack, splitAtMath, takeMath } from './math-source.ts'

const formulasIn = (text: string) =>
  takeMath(text).formulas.map(({ tex, display }) => (display ? `[${tex}]` : tex))

describe('formulas', () => {
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
  ])('are found in %j', (text, expected) => expect(formulasIn(text)).toEqual(expected))
})

describe('no formulas', () => {
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
  ])('are in %j', (text) => expect(takeMath(text)).toEqual({ markdown: text, formulas: [] }))

  it('are the marks of formulas that a text brings along', () => {
    const text = 'x\uE0000\uE001 $y^2$ and $5\uE000'
    const { markdown, formulas } = takeMath(text)
    const pieces = splitAtMath(markdown, formulas)
    expect(pieces.filter((piece) => typeof piece !== 'string')).toEqual([
      { tex: 'y^2', display: false, written: '$y^2$' },
    ])
    expect(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.written)).join('')).toBe(text)
    expect(putBack(markdown, formulas)).toBe(text)
  })

  it.each(['$$ a\n\nb $$ c', '\\[ a\n \nb \\] c', '$$ a\n~~~\nb $$'])(
    'reach over the end of a paragraph or of code: %j',
    (text) => expect(takeMath(text).formulas).toEqual([]),
  )

  it('is said of one that is too long to be drawn', () =>
    expect(formulasIn(`$${'x+'.repeat(3_000)}y$`)).toEqual([]))
})

it.each(['$', '$$', '\\[', '\\(', '\\', '$x', '$$x', '\\[x', '\\(\\', '$\\', '$ '])(
  'reads 100,000 characters of %j about as fast as any',
  (piece) => {
    const text = piece.repeat(100_000 / piece.length)
    const before = process.threadCpuUsage()
    takeMath(text)
    const { user, system } = process.threadCpuUsage(before)
    // quadratic reading would take minutes; of the thread's own time, so that a busy machine makes nothing red
    expect((user + system) / 1_000).toBeLessThan(2_000)
  },
)
