import { expect, it } from 'vitest'
import { readingOf } from '../../test/support/read-documents.ts'
import { readNotebook } from './read-notebook.ts'

const read = (content: unknown) =>
  readNotebook(new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)))

it('reads the cells of a notebook with their outputs, and counts the pictures', async () => {
  const extracted = await read({
    nbformat: 4,
    metadata: { language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# Sales\n', 'by region'] },
      {
        cell_type: 'code',
        execution_count: 3,
        source: 'print(1)',
        outputs: [
          { output_type: 'stream', text: ['\u001b[31m1\u001b[0m\n'] },
          { output_type: 'display_data', data: { 'image/png': 'x', 'text/plain': ['<Figure>'] } },
          { output_type: 'execute_result', data: { 'text/html': '<b>', 'text/plain': '``` | 2' } },
          { output_type: 'error', ename: 'KeyError', evalue: 'North', traceback: [] },
        ],
      },
      { cell_type: 'raw', source: 'as it is' },
      'no cell',
    ],
  })
  expect(extracted.text).toBe(
    [
      '# Sales\nby region',
      'In [3]:\n```python\nprint(1)\n```',
      'Out:\n````\n1\n<Figure>\n``` | 2\nKeyError: North\n````',
      'as it is',
    ].join('\n\n'),
  )
  expect(readingOf(extracted)).toMatchObject({ status: 'part', note: '1 picture was not read' })
})

it.each<[what: string, cell: object, text: string]>([
  ['a cell without a number', { cell_type: 'code', source: 'a' }, 'In [1]:\n```\na\n```'],
  ['a cell of no type', { source: 'a' }, 'In [1]:\n```\na\n```'],
  [
    'an empty output',
    { cell_type: 'code', source: 'a', outputs: [{ output_type: 'stream', text: ' \n' }] },
    'In [1]:\n```\na\n```',
  ],
  ['code that contains fences', { cell_type: 'code', source: 'a ```` b' }, 'In [1]:\n`````\na ```` b\n`````'],
  [
    'an error without words',
    { cell_type: 'code', source: 'a', outputs: [{ output_type: 'error' }] },
    'In [1]:\n```\na\n```\n\nOut:\n```\n: \n```',
  ],
  [
    'Markdown before plain text',
    {
      cell_type: 'code',
      source: 'a',
      outputs: [{ data: { 'text/plain': 'x', 'text/markdown': ['*', 'y*'] } }],
    },
    'In [1]:\n```\na\n```\n\nOut:\n```\n*y*\n```',
  ],
  [
    'damaged fields',
    {
      cell_type: 'code',
      source: 7,
      execution_count: 'x',
      outputs: [{ data: 7 }, 7, { output_type: 7, ename: 7, text: 'ok' }],
    },
    'In [1]:\n```\n\n```\n\nOut:\n```\nok\n```',
  ],
  ['damaged outputs', { cell_type: 'code', source: 'a', outputs: 7 }, 'In [1]:\n```\na\n```'],
])('reads %s, and no empty cells', async (_, cell, text) => {
  const empty = { cell_type: 'markdown', source: ' ' }
  expect(await read({ cells: [cell, empty], metadata: 7 })).toEqual({ text, length: text.length })
})

it.each([
  ['an older notebook', { worksheets: [{ cells: [{ cell_type: 'markdown', source: ['old'] }] }] }, 'old'],
  [
    'code and outputs of an older notebook',
    {
      worksheets: [
        {
          cells: [
            {
              cell_type: 'code',
              input: ['a = 1\n', 'a'],
              outputs: [
                { output_type: 'pyout', html: '<table><tr><td>Units</td><td>417</td></tr></table>' },
                { output_type: 'pyerr', ename: 'KeyError', evalue: 'x', traceback: ['line 88'] },
              ],
            },
          ],
        },
      ],
    },
    'In [1]:\n```\na = 1\na\n```\n\nOut:\n```\nUnits\t417\nline 88\nKeyError: x\n```',
  ],
  ['a notebook without cells', { cells: [], x: 'heron' }, '{"cells":[],"x":"heron"}'],
  ['JSON that is no notebook', { cells: 'none' }, '{"cells":"none"}'],
  ['what is not JSON', 'heron {', 'heron {'],
])('reads %s', async (_, content, text) => {
  expect(await read(content)).toEqual({ text, length: text.length })
})

it('refuses what is not a text', async () => {
  await expect(readNotebook(Uint8Array.of(0, 1, 2, 3, 0, 4))).rejects.toMatchObject({ problem: 'unreadable' })
})

it('a widget is counted as an output that is not read', async () => {
  const view = { 'application/vnd.jupyter.widget-view+json': { model_id: 'w' }, 'text/plain': 'HBox()' }
  const extracted = await read({
    cells: [{ cell_type: 'code', source: 'a', outputs: [{ output_type: 'display_data', data: view }] }],
  })
  expect(extracted.text).toBe('In [1]:\n```\na\n```')
  expect(readingOf(extracted)).toMatchObject({ status: 'part', note: '1 output was not read' })
})

it('reads lists of lines within lists, and the numbers and headings of an older format', async () => {
  const { text } = await read({
    worksheets: [
      {
        cells: [
          { cell_type: 'heading', level: 2, source: ['Merge sort'] },
          { cell_type: 'code', prompt_number: 7, input: [['x = 1\n'], 'x'] },
        ],
      },
    ],
  })
  expect(text).toBe('## Merge sort\n\nIn [7]:\n```\nx = 1\nx\n```')
})

it('counts the pictures of its texts, attached or written into them', async () => {
  const picture = `data:image/png;base64,${'iVBORw0KGgo'.repeat(20)}`
  const { text, omitted } = await read({
    nbformat: 4,
    cells: [
      {
        cell_type: 'markdown',
        source: `![a](attachment:a.png) ![b](${picture})`,
        attachments: { 'a.png': { 'image/png': 'iVBORw0KGgo=' } },
      },
    ],
  })
  expect(text).toBe('![a](attachment:a.png) ![b](data:image/png;base64,…)')
  expect(omitted).toEqual([{ what: 'pictures', count: 2 }])
})
