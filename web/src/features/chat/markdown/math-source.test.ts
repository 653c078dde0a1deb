import { describe, expect, it } from 'vitest'
import { restoreSource, splitAtPlaceholders } from './math-placeholders.ts'
import { extractMath } from './math-source.ts'

const findFormulas = (text: string) =>
  extractMath(text).hiddenParts.map(({ tex, displayMode }) => (displayMode ? `[${tex}]` : tex))

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
    // as many quotes are removed as are around the formula; further `>` are relations
    ['> > $$\n> > x^2\n> > $$', ['[x^2]']],
    ['>> $$\n>> a = b\n>>\n>> c = d\n>> $$', ['[a = b\nc = d]']],
    ['> - > $$\n>   > x^2\n>   > $$', ['[x^2]']],
    ['> > \\begin{align}\n> > a &= b\n> > \\end{align}', ['[\\begin{align}\na &= b\n\\end{align}]']],
    ['$$\na\n> b\n$$', ['[a\n> b]']],
    ['$$\na\n>\nb\n$$', ['[a\n>\nb]']],
    ['> $$\n> a\n> > b\n> $$', ['[a\n> b]']],
    ['> if so, \\(a\n> + b\\) is', ['a\n+ b']],
    ['$2^{10}$ is 1,024', ['2^{10}']],
    ['**$x^2$**', ['x^2']],
    ['\\(v = \\text{speed of the car}\\)', ['v = \\text{speed of the car}']],
    [
      '$42$ or $0.5$, $1/2$, $-1$, $10\\%$, $2:1$, $3n+1$ and $.5$',
      ['42', '0.5', '1/2', '-1', '10\\%', '2:1', '3n+1', '.5'],
    ],
    ['It costs $5, and $\\alpha$ is', ['\\alpha']],
    ['for $5 you get $x^2$', ['x^2']],
    ['the $n$th of $k$-means, $x$s', ['n', 'k', 'x']],
    ['设$x$为$α + β$，$a ≤ b$', ['x', 'α + β', 'a ≤ b']],
    ['all $x ∈ ℝ$ and $ℤ$, $𝟙$, $𝑥$', ['x ∈ ℝ', 'ℤ', '𝟙', '𝑥']],
    ['$$a \\text{ if $x>0$}$$', ['[a \\text{ if $x>0$}]']],
    // bradhowes/remarkable-katex#4, notable/notable#522
    ['so $\\colorbox{aqua}{$F=ma$}$ is', ['\\colorbox{aqua}{$F=ma$}']],
    ['$\\ce{NaOH(aq,$\\infty$)}$ and $x$', ['\\ce{NaOH(aq,$\\infty$)}', 'x']],
    ['$f(x) = 1 \\text{ if $x > 0$ and $y$}$, $z$', ['f(x) = 1 \\text{ if $x > 0$ and $y$}', 'z']],
    // braces that are never closed
    ['$\\alpha_{1$ and $x$', ['\\alpha_{1', 'x']],
    ['as $ \\alpha $ is', ['\\alpha']],
    ['$a, b$ and $(x, y)$', ['a, b', '(x, y)']],
    ['$$\na = b\n\nc = d\n$$', ['[a = b\nc = d]']],
    ['> $$\n> a = b\n>\n> c = d\n> $$', ['[a = b\nc = d]']],
    ['\\[\na = 1\n\nb = 2\n\\]', ['[a = 1\nb = 2]']],
    ['$$\nx = 1\n\nis not closed, so this text is no part.\n\n$$\ny = 2\n$$', ['[y = 2]']],
    ['- one\n  $$\n  a\n  $$\n- two', ['[a]']],
    ['1. \\( \\theta_i \\)：角度', ['\\theta_i']],
    ['xxx\\(\\alpha\\)zzz', ['\\alpha']],
    ['\\(\\xi = (\\xi_1, \\dots, \\xi_N)\\)xx', ['\\xi = (\\xi_1, \\dots, \\xi_N)']],
    ['read:\n\\( p^* \\)\n\\[\np^*\n\\]', ['p^*', '[p^*]']],
    ['| $|x|$ | \\(y|z\\) |', ['|x|', 'y|z']],
    [
      '\\begin{align*}\na &= b \\\\\n\nc &= d\n\\end{align*}',
      ['[\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}]'],
    ],
    ['so \\begin{pmatrix}1\\\\2\\end{pmatrix} is', ['\\begin{pmatrix}1\\\\2\\end{pmatrix}']],
    [
      '\\begin{equation} E = mc^2 \\label{e} \\end{equation}',
      ['[\\begin{equation} E = mc^2 \\label{e} \\end{equation}]'],
    ],
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
    '$$ is slang, and so is $$ in songs',
    '10 $ et 20 $, 10 $/mois, ou 5$ et 6$',
    'R$5 e R$10, US$ 5 – US$ 6, NT$100 或 HK$200',
    '价格从$5到$10，或$5/$6',
    'von $5 bis $10; entre $5 y $10; da $5 a $10',
    '**$5**~**$10**, ($5)($6), |$5|$6|',
    '$5 or 10$, $5 to 10$, $5 et 10$',
    'between $20/$ARPU and $30-$x',
    'the $2k cohort and the $25-50k tier, ~$0.79/m³ … $300/t',
    'cost ≈ $8–18 across both nodes (the node cost $1.45)',
    'echo $HOME, $PATH and $USER',
    'in C#, `$`"{a}" and `$"{b}"`',
    '$400 is certainly more than $300.',
    '\\begin{itemize}\\item a\\end{itemize}',
    '\\begin{align} is never ended',
    '$$\n\nnothing\n\n$$',
    'no marks at all',
  ])('in %j', (text) => expect(extractMath(text)).toMatchObject({ markdown: text, hiddenParts: [] }))

  it('in literal placeholder characters', () => {
    const text = 'x\uE0000\uE001 $y^2$ and $5\uE000'
    const { markdown, hiddenParts } = extractMath(text)
    const pieces = splitAtPlaceholders(markdown, hiddenParts)
    expect(pieces.filter((piece) => typeof piece !== 'string')).toEqual([
      { tex: 'y^2', displayMode: false, source: '$y^2$' },
    ])
    expect(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.source)).join('')).toBe(text)
    expect(restoreSource(markdown, hiddenParts)).toBe(text)
  })

  it.each(['$$ a\n\nb $$ c', '\\[ a\n \nb \\] c', '$$ a\n~~~\nb $$'])(
    'across the end of a paragraph or of code: %j',
    (text) => expect(extractMath(text).hiddenParts).toEqual([]),
  )

  it('in TeX that is too long to be rendered', () =>
    expect(findFormulas(`$${'x+'.repeat(3_000)}y$`)).toEqual([]))
})

it.each([
  ['see \\eqref{eq:e} and \\ref{b}', ['see ', '(e)', ' and ', 'b']],
  ['[a](https://a.example/my file.pdf)', ['[a](', 'https://a.example/my file.pdf', ')']],
])('hides %j from the parser, and gives it back', (text, pieces) => {
  const { markdown, hiddenParts } = extractMath(text)
  expect(markdown).not.toMatch(/ref\{|my file/)
  expect(splitAtPlaceholders(markdown, hiddenParts)).toEqual(pieces)
  expect(restoreSource(markdown, hiddenParts)).toBe(text)
})

it.each([
  ['$$\na', 0],
  ['a\n\n$$\nb\n\nc', 3],
  ['\\begin{align}\na', 0],
  ['\\(a', 0],
  ['$$ a\n\nb', undefined],
  ['$$\na\n$$ b', undefined],
  ['$$\na `b`', undefined],
  [`$$\n${'a\n'.repeat(3_000)}`, undefined],
  ['$a', undefined],
])('knows where a formula begins that may go on: %j', (text, openFrom) =>
  expect(extractMath(text).openFrom).toBe(openFrom),
)

it.each([
  '$',
  '$$',
  '\\[',
  '\\(',
  '\\',
  '$x',
  '$$x',
  '\\[x',
  '\\(\\',
  '$\\',
  '$\\a{',
  '$\\a{$',
  '$ ',
  '$1$ ',
  '$$a$$ ',
  '\\begin{align}',
  '\\begin{align}a\\end{align}',
  '](a:',
  '$$\n',
])('extracts formulas from 100,000 characters of %j in less than 2 s', (piece) => {
  const text = piece.repeat(100_000 / piece.length)
  const before = process.threadCpuUsage()
  extractMath(text)
  const { user, system } = process.threadCpuUsage(before)
  // quadratic time would be minutes; measured as CPU time of the thread, so that the test passes on a busy machine
  expect((user + system) / 1_000).toBeLessThan(2_000)
})
