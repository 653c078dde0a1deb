import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Markdown } from '../markdown/markdown.tsx'
import { PreviewContext } from '../preview-context.ts'
import { createBlockReader, readBlocks } from './read-blocks.ts'

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``

it.each([
  ['a block between text', `Here:\n\n${fenced('html', '<p>\n  a')}\n\nDone`, ['<p>\n  a']],
  ['other fences', '~~~~csv\na,b\n```\n~~~\n~~~~~\nend', ['a,b\n```\n~~~']],
  ['a block of a list', '1. one\n\n   ```svg\n   <svg>\n     <g>\n   ```', ['<svg>\n  <g>']],
  ['a block in a quotation', '> ```svg\n> <svg/>\n> ```', ['<svg/>']],
  ['XML that is a picture', `${fenced('xml', '<svg/>')}\n${fenced('xml', '<a/>')}`, ['<svg/>']],
  ['no block of other code, and none inside of a line', `${fenced('ts', 'a')}\n\`\`\`html\`\`\``, []],
  ['a block at the end', '```md\n# a', ['# a']],
  ['a page without a name, and indented', '    <!doctype html>\n    <p>', ['<!doctype html>\n<p>']],
  ['a fence within a longer one', '````md\n# a\n\n```bash\nls\n```\n````', ['# a\n\n```bash\nls\n```']],
])('finds %s', (_, markdown, codes) => {
  expect(readBlocks(markdown).map(({ code }) => code)).toEqual(codes)
})

it.each([
  '1. one\n\n   ```svg\n   <svg>\n     <g>\n   ```',
  '- ```csv\n  a\n  b\n  ```',
  '```html\n<p>\n\n',
  '> ```html:index.html\n> <p>\n> ```',
])('finds the code that the button of %j opens', (markdown) => {
  const opened: string[] = []
  const previews = { hasSandbox: true, open: ({ code }: { code: string }) => opened.push(code) }
  render(
    <PreviewContext value={previews}>
      <Markdown text={markdown} isStreaming={false} />
    </PreviewContext>,
  )
  screen.getByRole('button', { name: 'Preview' }).click()
  expect(readBlocks(markdown).map(({ code }) => code.trimEnd())).toEqual([opened[0]?.trimEnd()])
})

it.each([
  ['its fence', fenced('html:pages/clock.html', '<p>')],
  ['a title of its fence', fenced('html title="clock.html"', '<p>')],
  ['a word of its fence', fenced('html clock.html', '<p>')],
  ['the path that is its fence', fenced('site/clock.html', '<p>')],
  ['a heading', `### 1. clock.html\n${fenced('html', '<p>')}`],
  ['bold code', `**\`clock.html\`**:\n\n${fenced('html', '<p>')}`],
  ['a sentence', `Save this as clock.html next to style.css:\n\n${fenced('html', '<p>')}`],
  ['its first comment', fenced('html', '<!-- clock.html -->\n<p>')],
  [
    'a sentence without blanks',
    `把下面的代码保存为clock.html，放在style.css旁边：\n\n${fenced('html', '<p>')}`,
  ],
  ['code in such a sentence', `次の\`clock.html\`を保存します：\n\n${fenced('html', '<p>')}`],
])('the name of a block is in %s', (_, markdown) => {
  expect(readBlocks(markdown)[0]?.filename).toBe('clock.html')
})

it.each([
  ['of other kinds', `See style.css:\n\n${fenced('html', '<p>')}`],
  ['of text further up', `clock.html\n\nIt works.\n\n${fenced('html', '<p>')}`],
  ['in code', fenced('html', '<a href="clock.html">')],
])('a name is not taken from names %s', (_, markdown) => {
  expect(readBlocks(markdown)[0]?.filename).toBeUndefined()
})

it('style sheets and scripts are parts of pages', () => {
  const markdown = [fenced('css', 'a {}'), fenced('javascript', 'b'), fenced('js app.js', 'c')].join('\n')
  expect(readBlocks(markdown).map(({ kind }) => kind)).toEqual(['css', 'js', 'js'])
})

it('a block is complete with its last fence, or with the reply', () => {
  const open = '```html\n<p>'
  const isComplete = (markdown: string) => createBlockReader()(markdown).map((block) => block.isComplete)
  expect(isComplete(open)).toEqual([false])
  expect(isComplete(`${open}\n\`\`\`\n`)).toEqual([true])
  expect(isComplete(`${open}\n\`\`\`\n\`\`\`css\na`)).toEqual([true, false])
  expect(isComplete('~~~~html\n```')).toEqual([false])
  expect(isComplete(`${open}\n\`\`\`\n\`\`\`python\na`)).toEqual([true])
  expect(readBlocks(open)[0]?.isComplete).toBe(true)
})

it('a text that grows is read as a whole one is', () => {
  const text = `One\n\n${fenced('html', '<p>\n'.repeat(40))}\n\n- ${fenced('css', 'a {}').replaceAll('\n', '\n  ')}\n\nEnd`
  const read = createBlockReader()
  for (let end = 0; end <= text.length; end += 7)
    expect(read(text.slice(0, end))).toEqual(createBlockReader()(text.slice(0, end)))
  expect(read(text)).toEqual(readBlocks(text))
})

it('a block in a quotation that is streaming is complete with its fence', () => {
  const read = createBlockReader()
  const begun = '> ```svg\n> <svg/>'
  expect([begun, `${begun}\n> \`\`\``].map((text) => read(text)[0]?.isComplete)).toEqual([false, true])
  // the fence of a quotation inside of the code is not that of the block
  expect(createBlockReader()('```md\n> ```\n> a\n> ```')[0]?.isComplete).toBe(false)
})

it('a name in code is not joined with the words beside it', () => {
  expect(readBlocks(`下面是\`我的图.svg\`：\n\n${fenced('svg', '<svg/>')}`)[0]?.filename).toBe('我的图.svg')
})
