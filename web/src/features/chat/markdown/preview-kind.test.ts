import { expect, it } from 'vitest'
import { getLanguageLabel } from './highlight.ts'
import { getPreviewKind } from './preview-kind.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>'
const illustrator =
  '\ufeff<?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE svg PUBLIC "-//W3C" "x.dtd" [<!ENTITY a "b">]>\n'

it.each([
  ['html', '<p>', 'html'],
  ['HTML5', '<p>', 'html'],
  ['html:index.html', '<p>', 'html'],
  ['html,', '<p>', 'html'],
  ['html{1,3-4}', '<p>', 'html'],
  ['html[index.html]', '<p>', 'html'],
  ['html=index.html', '<p>', 'html'],
  ['{.html', '<p>', 'html'],
  ['language-html', '<p>', 'html'],
  ['text/html', '<p>', 'html'],
  ['application/xhtml+xml', '<p>', 'html'],
  ['public/index.html', '<p>', 'html'],
  ['image/svg+xml', svg, 'svg'],
  ['logo.svg', svg, 'svg'],
  ['application/vnd.mermaid', 'pie', 'mermaid'],
  ['mmd', 'pie', 'mermaid'],
  ['text/csv', 'a,b', 'csv'],
  ['text/tab-separated-values', 'a\tb', 'csv'],
  ['text/x-markdown', '# a', 'markdown'],
  ['README.md', '# a', 'markdown'],
  ['xml', svg, 'svg'],
  ['xml', `<?xml version="1.0" encoding="UTF-8"?>\n${svg}`, 'svg'],
  ['xml', `${illustrator}${svg}`, 'svg'],
  ['xml', '<!DOCTYPE html><html></html>', 'html'],
  ['xml', '<project><svg/></project>', undefined],
  ['xml', '<table><row/></table>', undefined],
  ['xml', '<!-- <svg> --><a/>', undefined],
  ['xml', '<?xml <svg', undefined],
  ['html', svg, 'svg'],
  ['html', `${svg}<main>`, 'html'],
  ['svg', `<!DOCTYPE html><html><body>${svg}</body></html>`, 'html'],
  ['', '<!doctype html>\n<p>', 'html'],
  ['', '<!-- index.html -->\n<html lang="en">', 'html'],
  ['txt', '<div class="a">\n</div>\n', 'html'],
  ['', '<div className="a"></div>', undefined],
  ['', 'if (a <div) b', undefined],
  ['', 'flowchart TD\n A-->B', 'mermaid'],
  ['text', 'sequenceDiagram\n A->>B: x', 'mermaid'],
  ['', 'graph theory is', undefined],
  ['', 'timeline.push(1)', undefined],
  ['', 'a,b\n1,2', undefined],
  ['bash', '<html>', undefined],
  ['jsx', '<div></div>', undefined],
  ['php', '<!doctype html>', undefined],
  ['mermaid', 'x'.repeat(20_001), undefined],
])('%s %j is %s', (language, code, kind) => {
  expect(getPreviewKind(language, code)).toBe(kind)
})

it.each([
  ['cpp:main.ino', 'C++'],
  ['C++', 'C++'],
  ['c#', 'C#'],
  ['{.python', 'Python'],
  ['src/App.tsx', 'TypeScript'],
  ['text/css', 'CSS'],
  ['asp.net', 'asp.net'],
  ['vega-lite', 'Vega-Lite'],
  ['', 'Code'],
])('the label of %j is %s', (word, label) => {
  expect(getLanguageLabel(word)).toBe(label)
})
