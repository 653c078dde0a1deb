import { render, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Markdown } from '../markdown/markdown.tsx'
import { splitForReading } from './read-reply.ts'
import { readPlainText, readRenderedReply } from './spoken-text.ts'

function renderReply(markdown: string): Element {
  const { container } = render(<Markdown text={markdown} isStreaming={false} />)
  return container.querySelector('[data-reply-text]') as Element
}
const readAloud = (reply: Element) => readRenderedReply(reply).flatMap(splitForReading)

it.each<[string, string, string[]]>([
  [
    'headings and sentences',
    '# The plan\n\nFirst. Then **second** part.',
    ['The plan', 'First.', 'Then second part.'],
  ],
  [
    'a bare address as its host',
    'See https://example.org/a?id=1&lang=en#p for more.',
    ['See example.org for more.'],
  ],
  ['an address at the end', 'It is at https://www.example.org/a/b.', ['It is at example.org.']],
  ['an address in code', 'Open `http://localhost:8080/x?y=1` now.', ['Open localhost:8080 now.']],
  ['a link by its text', 'Read [the guide](https://example.org/a/b) first.', ['Read the guide first.']],
  [
    'no numbers of sources',
    'It rains [1](https://a.example) a lot [[2]](https://b.example).',
    ['It rains a lot.'],
  ],
  [
    'an item and its inner list',
    '- Bake\n  - at 180 °C\n  - for an hour',
    ['Bake', 'at 180 °C', 'for an hour'],
  ],
  ['numbers of items', '3. Mix. Rest.\n4. Bake', ['3. Mix.', 'Rest.', '4. Bake']],
  ['an item of two paragraphs', '1. Mix\n\n   Well.\n2. Bake', ['1. Mix', 'Well.', '2. Bake']],
  [
    'names with initials and titles in one sentence',
    'R. L. Gregory met Dr. Smith, e.g. Mr. X at No. 5. The U.K. won. Herr Nr. 3 kam z. B. Montag.',
    ['R. L. Gregory met Dr. Smith, e.g. Mr. X at No. 5.', 'The U.K. won.', 'Herr Nr. 3 kam z. B. Montag.'],
  ],
  [
    'abbreviations of several letters, and days before their month, in one sentence',
    'The U.K. Parliament met at 5:15 p.m. Tuesday. Am 3. Mai kam er. I have 3. Then I go.',
    ['The U.K. Parliament met at 5:15 p.m. Tuesday.', 'Am 3. Mai kam er.', 'I have 3.', 'Then I go.'],
  ],
  [
    'raised and lowered text',
    'The 1<sup>st</sup> 10<sup>-3</sup> of H<sub>2</sub>O',
    ['The 1st 10⁻³ of H2O'],
  ],
  ['numbers as written', '2. Mix\n4. Bake', ['2. Mix', '4. Bake']],
  [
    'marked text, keys and readings of characters',
    'A ==key==: <kbd>F1</kbd>, <ruby>漢<rt>かん</rt></ruby>.',
    ['A key: F1, 漢.'],
  ],
  ['hidden text with its name', '<details>\n<summary>More</summary>\n\nText\n\n</details>', ['More', 'Text']],
  ['tasks', '- [x] Buy milk\n- [ ] Bake', ['Buy milk', 'Bake']],
  ['cells one by one', '| Name | Age |\n|---|---|\n| Ann | 7 |', ['Name', 'Age', 'Ann', '7']],
  ['no code', 'Before.\n\n```js\nconst a = 1\n```\n\nCall `run` now.', ['Before.', 'Call run now.']],
  [
    'footnotes after the text, without their marks',
    'It floats.[^1]\n\n[^1]: Most of the time.',
    ['It floats.', 'Footnotes', '1. Most of the time.'],
  ],
  ['no pictographs', '✅ Done! 🎉🎉 👩‍👩‍👧 1️⃣ 🇳🇴', ['Done!', '1']],
  ['signs that are words', 'Juno® © 2026', ['Juno® © 2026']],
  ['no drawn lines', '──────── next\n\n=====\n\n\\*\\*\\* end \\-\\-\\-', ['next', 'end']],
  ['arrows as pauses', 'Oslo → Bergen -> Voss', ['Oslo, Bergen, Voss']],
  ['no signs of private fonts', 'Edit \ue0b0 it', ['Edit it']],
  [
    'a sentence over the end of a line',
    'We asked the harbour\nmaster about it.',
    ['We asked the harbour master about it.'],
  ],
  ['lines of a poem', 'The sea,\nThe sky', ['The sea,', 'The sky']],
  ['quotations', '> Be quick.\n\nHe said.', ['Be quick.', 'He said.']],
])('reads %s', (_, markdown, sentences) => {
  expect(readAloud(renderReply(markdown))).toEqual(sentences)
})

it.each([
  [String.raw`x^2 + y_1 \le \frac{a+b}{c}`, 'x² + y 1 ≤ (a + b) ÷ c'],
  [String.raw`\frac{1}{2}\sqrt{x+1}`, '1/2√(x + 1)'],
  [String.raw`\sum_{i=1}^{n} i`, '∑ i = 1ⁿ i'],
  [String.raw`e^{-kt}`, 'e ^ (− kt)'],
  [String.raw`\sqrt[3]{8} = 2`, '³√8 = 2'],
  [String.raw`f'(x) = \alpha\cdot \vec{v}`, 'f′(x) = α ⋅ v'],
  [String.raw`\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}`, '(1 2, 3 4)'],
  [String.raw`5\,\text{km}`, '5 km'],
])('reads the formula %s as %s', async (tex, spoken) => {
  const reply = renderReply(`So $${tex}$ here`)
  await waitFor(() => expect(reply.querySelector('.katex')).not.toBeNull())
  expect(readRenderedReply(reply)).toEqual([`So ${spoken} here`])
})

it('reads a reply that is still plain text without its marks and code', () => {
  const text = '## Plan\n\n1. **Mix**\n2. `Bake`\n\n```js\na()\n```\n\n> At https://example.org/a ✅'
  expect(readPlainText(text).flatMap(splitForReading)).toEqual([
    'Plan',
    '1. Mix',
    '2. Bake',
    'At example.org',
  ])
})

it.each<[string, string, number[]]>([
  ['at pauses', `${'word '.repeat(30)}end, ${'more '.repeat(20)}`, [154, 99]],
  ['at blanks', 'word '.repeat(60), [199, 99]],
  ['without blanks', '東'.repeat(110), [50, 50, 10]],
  ['at pauses of Chinese', `${'东'.repeat(40)}，${'京'.repeat(40)}`, [41, 40]],
  ['between letters of two parts', `a${'𠮷'.repeat(60)}`, [99, 22]],
  ['between words of Thai', `ผม ${'สวัสดีครับ'.repeat(30)}`, [199, 104]],
  ['of kana', 'あ'.repeat(150), [100, 50]],
  ['of numbers', `${'9'.repeat(40)}, ${'9'.repeat(20)}`, [41, 20]],
  ['not within a number', `lead ${'1,000 '.repeat(12)}`, [64, 11]],
])('cuts long sentences %s', (_, text, lengths) => {
  expect(splitForReading(text).map(({ length }) => length)).toEqual(lengths)
})

it('reads a line of many number signs in linear time', () => {
  expect(readPlainText(`Before\n\n${'#'.repeat(2_000)}x\n\nAfter`)).toEqual([
    'Before',
    expect.any(String),
    'After',
  ])
})

it('an address ends before full-width punctuation, and the sentence goes on', () => {
  const text = '请看 https://example.com/a，里面有说明。'
  const spoken = ['请看 example.com，里面有说明。']
  expect(readPlainText(text)).toEqual(spoken)
  expect(readRenderedReply(renderReply(text))).toEqual(spoken)
  expect(readPlainText('(https://example.com)。次へ')).toEqual(['(example.com)。次へ'])
})
