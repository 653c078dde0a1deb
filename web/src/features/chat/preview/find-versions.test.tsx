import { expect, it } from 'vitest'
import { Markdown } from '../markdown/markdown.tsx'
import { render, screen } from '@testing-library/react'
import { findPreviewBlocks, findVersions } from './find-versions.ts'
import { PreviewContext } from './preview-context.ts'

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``

it.each([
  ['a block between text', `Here:\n\n${fenced('html', '<p>\n  a')}\n\nDone`, ['<p>\n  a']],
  ['other fences', '~~~~csv\na,b\n```\n~~~\n~~~~~\nend', ['a,b\n```\n~~~']],
  ['a block of a list', '1. one\n\n   ```svg\n   <svg>\n     <g>\n   ```', ['<svg>\n  <g>']],
  ['XML that is a picture', `${fenced('xml', '<svg/>')}\n${fenced('xml', '<a/>')}`, ['<svg/>']],
  ['no block of other code, and none inside of a line', `${fenced('ts', 'a')}\n\`\`\`html\`\`\``, []],
  ['a block at the end', '```md\n# a', ['# a']],
])('finds %s', (_, markdown, codes) => {
  expect(findPreviewBlocks(markdown, false).map(({ code }) => code)).toEqual(codes)
})

it.each(['1. one\n\n   ```svg\n   <svg>\n     <g>\n   ```', '- ```csv\n  a\n  b\n  ```', '```html\n<p>\n\n'])(
  'finds the code that the button of %j opens',
  (markdown) => {
    const opened: string[] = []
    const previews = { hasSandbox: true, open: ({ code }: { code: string }) => opened.push(code) }
    render(
      <PreviewContext value={previews}>
        <Markdown text={markdown} streaming={false} />
      </PreviewContext>,
    )
    screen.getByRole('button', { name: 'Preview' }).click()
    expect(findPreviewBlocks(markdown, false).map(({ code }) => code.trimEnd())).toEqual([
      opened[0]?.trimEnd(),
    ])
  },
)

it('a block is complete with its last fence, or with the reply', () => {
  const open = '```html\n<p>'
  expect(findPreviewBlocks(open, true)).toEqual([{ kind: 'html', code: '<p>', isComplete: false }])
  expect(findPreviewBlocks(open, false)[0]?.isComplete).toBe(true)
  expect(findPreviewBlocks(`${open}\n\`\`\`\n`, true)[0]?.isComplete).toBe(true)
})

const blocks = (...codes: string[]) =>
  codes.map((code) => ({ kind: 'html' as const, code, isComplete: true }))
const clock = '<h1>Clock</h1><script>setInterval(tick, 1000)</script>'

it('versions have mostly the same words', () => {
  const later = clock.replace('1000', '500').replace('</h1>', '</h1><p>Berlin</p>')
  const all = [...blocks(clock, '<ul><li>Milk</li></ul>', later, clock), ...blocks('<b>x</b>')]
  expect(findVersions(all, { kind: 'html', code: clock }).map(({ code }) => code)).toEqual([later, clock])
  expect(findVersions(all, { kind: 'svg', code: clock }).map(({ code }) => code)).toEqual([clock])
})

it('finds the block that has grown since it was opened', () => {
  expect(findVersions(blocks('<b>x</b>', clock), { kind: 'html', code: '<h1>Clo' })).toEqual(blocks(clock))
})
